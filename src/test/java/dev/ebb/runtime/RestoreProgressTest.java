package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.runtime.RestoreProgress.Restore;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {

    private static final TopicPartition CHANGELOG = new TopicPartition("ebb-events-changelog", 2);

    private final RestoreProgress progress = new RestoreProgress();

    @Test
    void shouldShowWhatIsLeftUntilTheStoreIsReady() {
        // given
        progress.onRestoreStart(CHANGELOG, "events", 100, 400);
        progress.onRestoreStart(CHANGELOG, "usage", 0, 10);

        // when
        progress.onBatchRestored(CHANGELOG, "events", 250, 120);
        progress.onRestoreEnd(CHANGELOG, "usage", 10);

        // then
        assertThat(progress.running()).containsExactly(new Restore("events", 2, 120, 300));
        assertThat(progress.running().get(0).remaining()).isEqualTo(180);
    }

    @Test
    void shouldForgetAStoreThatMovesAway() {
        // given
        progress.onRestoreStart(CHANGELOG, "events", 100, 400);

        // when
        progress.onRestoreSuspended(CHANGELOG, "events", 0);

        // then
        assertThat(progress.running()).isEmpty();
    }
}
