package dev.ebb.topology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.SweepBudget;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-6")
class ThreadSlicesTest {

    private long nanos;
    private final ThreadSlices slices = new ThreadSlices(100, Duration.ofNanos(1000), () -> nanos);

    @Test
    void shouldGiveAllOfASliceToTheOnlyTask() {
        slices.enter();

        assertThat(lastsUntil(999)).isTrue();
        assertThat(lastsUntil(1000)).isFalse();
    }

    @Test
    void shouldShareASliceAmongTheBusyTasksOfAThread() {
        slices.enter();
        slices.enter();

        assertThat(lastsUntil(499)).isTrue();
        assertThat(lastsUntil(500)).isFalse();
        slices.leave();
        assertThat(lastsUntil(999)).isTrue();
    }

    @Test
    void shouldNotCountTheTasksOfOtherThreads() throws InterruptedException {
        // given
        Thread other = new Thread(slices::enter);
        other.start();
        other.join();

        // when
        slices.enter();

        // then
        assertThat(lastsUntil(999)).isTrue();
    }

    @Test
    void shouldGiveASliceToATaskThatIsNotBusyYet() {
        assertThat(lastsUntil(999)).isTrue();
        assertThat(slices.budget().deletesLeft()).isEqualTo(100);
    }

    private boolean lastsUntil(long time) {
        nanos = 0;
        SweepBudget budget = slices.budget();
        nanos = time;
        budget.spendStep();
        return !budget.isSpent();
    }
}
