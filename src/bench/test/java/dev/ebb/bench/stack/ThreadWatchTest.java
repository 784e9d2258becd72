package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThreadWatchTest {

    private final ThreadWatch watch = new ThreadWatch();

    @Test
    void shouldKnowTheLongestTurnWithoutItsCommit() {
        // when
        turn(0, 30, 0);
        turn(100, 150, 40);
        turn(200, 220, 0);

        // then
        assertThat(watch.longestWork()).isEqualTo(Duration.ofNanos(30));
    }

    @Test
    void shouldNotCountATurnThatWasUnderWayAtTheReset() {
        // when
        watch.polled(0);
        watch.reset();
        watch.polls(1000);
        turn(2000, 2010, 0);

        // then
        assertThat(watch.longestWork()).isEqualTo(Duration.ofNanos(10));
    }

    @Test
    void shouldNotCountTheTimeBeforeTheFirstPoll() {
        // when
        watch.polls(1000);

        // then
        assertThat(watch.longestWork()).isZero();
        assertThat(watch.workCpu()).isZero();
    }

    private void turn(long from, long to, long committing) {
        watch.polled(from);
        watch.committed(committing);
        watch.polls(to);
    }
}
