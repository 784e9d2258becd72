package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.SweepBudget;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("O-2")
class TurnsTest {

    private final List<String> done = new ArrayList<>();
    private int wantedByA;
    private int wantedByB;
    private int wantedByC;

    private final Turns turns = new Turns(
            (now, budget) -> wantedByA -= work("a", wantedByA, budget),
            (now, budget) -> wantedByB -= work("b", wantedByB, budget),
            (now, budget) -> wantedByC -= work("c", wantedByC, budget));

    @Test
    void shouldKeepTheOrderWhileTheBudgetIsEnough() {
        // given
        wantedByA = 2;
        wantedByB = 2;
        wantedByC = 2;

        // when
        slice(7);
        wantedByA = 1;
        slice(7);

        // then
        assertThat(done).containsExactly("a2", "b2", "c2", "|", "a1", "|");
    }

    @Test
    void shouldBeginBehindTheWorkThatUsedUpTheLastSlice() {
        // given
        wantedByA = 9;
        wantedByB = 4;
        wantedByC = 1;

        // when
        for (int i = 0; i < 6; i++) {
            slice(3);
        }

        // then
        assertThat(done).containsExactly("a3", "|", "b3", "|", "c1", "a2", "|", "b1", "a2", "|", "a2", "|", "|");
    }

    @Test
    void shouldKeepTheTurnWhenNothingIsLeftForAnybody() {
        // given
        wantedByA = 5;
        wantedByB = 1;
        slice(3);

        // when
        SweepBudget spent = new SweepBudget(1, Long.MAX_VALUE, () -> 0);
        spent.spendDelete();
        turns.slice(0, spent);
        slice(3);

        // then
        assertThat(done).containsExactly("a3", "|", "b1", "a2", "|");
    }

    private void slice(int deletes) {
        turns.slice(0, new SweepBudget(deletes, Long.MAX_VALUE, () -> 0));
        done.add("|");
    }

    private int work(String name, int wanted, SweepBudget budget) {
        int worked = 0;
        while (worked < wanted && !budget.isSpent()) {
            budget.spendDelete();
            worked++;
        }
        if (worked > 0) {
            done.add(name + worked);
        }
        return worked;
    }
}
