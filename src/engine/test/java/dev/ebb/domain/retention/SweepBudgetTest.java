package dev.ebb.domain.retention;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-2")
class SweepBudgetTest {

    private long nanos;

    @Test
    void shouldBeSpentAfterItsDeletes() {
        // given
        SweepBudget budget = new SweepBudget(3, 1000, () -> nanos);

        // when
        budget.spendDelete();
        budget.spendDelete();

        // then
        assertThat(budget.isSpent()).isFalse();
        assertThat(budget.deletesLeft()).isEqualTo(1);
        budget.spendDelete();
        assertThat(budget.isSpent()).isTrue();
        budget.spendDelete();
        assertThat(budget.deletesLeft()).isZero();
    }

    @Test
    void shouldBeSpentAtTheEndOfItsTime() {
        // given
        SweepBudget budget = new SweepBudget(Integer.MAX_VALUE, 1000, () -> nanos);

        // when
        nanos = 999;
        steps(budget, 200);
        boolean isSpentBefore = budget.isSpent();
        nanos = 1000;
        steps(budget, 200);

        // then
        assertThat(isSpentBefore).isFalse();
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void shouldNoticeTheTimeWithinAFewSteps() {
        // given
        SweepBudget budget = new SweepBudget(Integer.MAX_VALUE, 1000, () -> nanos);
        budget.spendStep();
        nanos = 5000;

        // when
        int steps = 0;
        while (!budget.isSpent() && steps < 1000) {
            budget.spendStep();
            steps++;
        }

        // then
        assertThat(steps).isLessThanOrEqualTo(8);
    }

    @Test
    void shouldNoticeTheTimeWithinAFewDeletes() {
        // given
        SweepBudget budget = new SweepBudget(Integer.MAX_VALUE, 1000, () -> nanos);
        nanos = 1000;

        // when
        for (int i = 0; i < 8; i++) {
            budget.spendDelete();
        }

        // then
        assertThat(budget.isSpent()).isTrue();
    }

    @Test
    void shouldMeasureTimeOnAClockThatOverflows() {
        // given
        nanos = Long.MAX_VALUE - 10;
        SweepBudget budget = new SweepBudget(100, 1000, () -> nanos);

        // when
        budget.spendStep();

        // then
        assertThat(budget.isSpent()).isFalse();
    }

    private static void steps(SweepBudget budget, int count) {
        for (int i = 0; i < count; i++) {
            budget.spendStep();
        }
    }

    @Test
    void shouldGiveAPartOfItsDeletes() {
        // given
        SweepBudget budget = new SweepBudget(3, 1000, () -> nanos);

        // then
        assertThat(budget.part(2).deletesLeft()).isEqualTo(2);
        assertThat(budget.part(4).deletesLeft()).isEqualTo(3);
        budget.part(2).spendDelete();
        assertThat(budget.deletesLeft()).isEqualTo(3);
    }
}
