package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.bench.harness.VoidRunException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class DrainWatchTest {

    private static final Duration AT_ONCE = Duration.ofMillis(1);

    @Test
    void shouldEndWithTheLastRecordOfEachPartitionThatHasRecords() throws InterruptedException {
        // given
        DrainWatch watch = new DrainWatch(new long[] {1, -1, 0});
        watch.taken(0, 0);
        watch.taken(2, 0);
        watch.awaitFirst(AT_ONCE);
        assertThatThrownBy(() -> watch.awaitLast(AT_ONCE)).isInstanceOf(VoidRunException.class);

        // when
        watch.taken(0, 1);

        // then
        watch.awaitLast(AT_ONCE);
        assertThat(watch.took()).isPositive();
    }

    @Test
    void shouldNotWaitForAnApplicationThatFailed() {
        // given
        DrainWatch watch = new DrainWatch(new long[] {1});

        // when
        watch.failed(new IllegalStateException("broken"));

        // then
        assertThatThrownBy(() -> watch.awaitFirst(AT_ONCE)).hasMessageContaining("broken");
        assertThatThrownBy(() -> watch.awaitLast(AT_ONCE)).hasMessageContaining("broken");
    }
}
