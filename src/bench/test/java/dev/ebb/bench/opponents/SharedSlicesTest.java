package dev.ebb.bench.opponents;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SharedSlicesTest {

    private final AtomicLong nanos = new AtomicLong();
    private final SharedSlices slices = new SharedSlices(Duration.ofNanos(800), nanos::get);

    @Test
    void shouldGiveOneTaskTheWholeSliceEachRound() {
        // when
        long first = turn("a", 800, true);
        long second = turn("a", 800, true);

        // then
        assertThat(first).isEqualTo(800);
        assertThat(second).isEqualTo(800);
    }

    @Test
    void shouldDivideTheSliceAmongTheTasksThatHaveWork() {
        // given a round in which the second task finds that nothing is left for it
        assertThat(turn("a", 800, true)).isEqualTo(800);
        assertThat(turn("b", 0, true)).isZero();

        // when
        long first = turn("a", 400, true);
        long second = turn("b", 400, true);
        long idle = turn("c", 0, false);

        // then
        assertThat(first).isEqualTo(400);
        assertThat(second).isEqualTo(400);
        assertThat(idle).isZero();
    }

    @Test
    void shouldGiveTheRestToTheLastTask() {
        // given
        turn("a", 0, true);
        turn("b", 0, true);

        // when
        turn("a", 100, true);

        // then
        assertThat(turn("b", 0, true)).isEqualTo(700);
    }

    /** One millisecond, as long as a task has work; less where less is asked for. */
    @Test
    void shouldKeepPollsShortWhileATaskHasWork() {
        Duration usual = Duration.ofMillis(10);
        assertThat(slices.pollWait(usual)).isEqualTo(usual);
        turn("a", 1, true);
        assertThat(slices.pollWait(usual)).isEqualTo(Duration.ofMillis(1));
        assertThat(slices.pollWait(Duration.ZERO)).isZero();
        turn("a", 1, false);
        assertThat(slices.pollWait(usual)).isEqualTo(usual);
    }

    @Test
    void shouldForgetTasksThatHaveLeft() {
        // given
        turn("a", 1, true);

        // when
        slices.leave("a");

        // then
        assertThat(slices.pollWait(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(10));
    }

    /** Returns the time that the task was given, of which it takes some. */
    private long turn(String task, long takes, boolean hasWork) {
        long given = slices.begin(task) - nanos.get();
        nanos.addAndGet(takes);
        slices.end(task, hasWork);
        return given;
    }
}
