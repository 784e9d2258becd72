package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusView;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.streams.RestoreProgress.Restore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {

    private static final TopicPartition CHANGELOG = new TopicPartition("ebb-events-changelog", 2);

    private long nanos = 7;
    private final List<String> restored = new ArrayList<>();
    private final RestoreProgress progress = new RestoreProgress(() -> nanos, new LifecycleObserver() {
        @Override
        public void restored(String store, int partition, long records, Duration took) {
            restored.add(store + " " + partition + " " + records + " " + took.toMillis() + " ms");
        }
    });

    @Test
    void shouldTellTheGapOfAStoreAndNothingOfACompleteOne() {
        // given
        progress.onRestoreStart(CHANGELOG, "events", 100, 400);
        progress.onRestoreStart(CHANGELOG, "usage", 10, 10);

        // when
        nanos += 2_000_000;
        progress.onRestoreEnd(CHANGELOG, "events", 120);
        progress.onRestoreEnd(CHANGELOG, "usage", 0);

        // then
        assertThat(restored).containsExactly("events 2 120 2 ms");
    }

    @Test
    void shouldShowTheRestUntilTheStoreIsReady() {
        // given
        progress.onRestoreStart(CHANGELOG, "events", 100, 400);
        progress.onRestoreStart(CHANGELOG, "usage", 0, 10);

        // when
        progress.onBatchRestored(CHANGELOG, "events", 250, 120);
        progress.onRestoreEnd(CHANGELOG, "usage", 10);

        // then
        assertThat(progress.running()).containsExactly(new Restore("events", 2, 120, 300, 400, 7));
        assertThat(progress.running().get(0).remaining()).isEqualTo(180);
    }

    @Test
    @Tag("A-16")
    void shouldTellWhereATopicEndedOnceItIsRead() {
        // given
        TopicPartition accepted = new TopicPartition("ebb.policies.accepted", 0);
        progress.onRestoreStart(accepted, "policies-accepted", 3, 17);
        assertThat(progress.end("policies-accepted")).isZero();

        // when: compaction has left two records
        progress.onRestoreEnd(accepted, "policies-accepted", 2);

        // then
        assertThat(progress.end("policies-accepted")).isEqualTo(17);
        assertThat(progress.end("another")).isZero();
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

    @Test
    @Tag("O-17")
    @Tag("A-9")
    void shouldTellWaitingCallersHowFarItIsAndHowFast() {
        // given
        progress.onRestoreStart(CHANGELOG, "events", 0, 400);
        progress.onRestoreStart(new TopicPartition("ebb-events-changelog", 3), "events", 0, 9);
        progress.onBatchRestored(CHANGELOG, "events", 250, 100);
        nanos += 2_000_000_000L;

        // when
        NotReadyException notReady = progress.notReady(2);

        // then
        assertThat(notReady)
                .hasMessage("partition 2 is being restored: 100 of 400 records of its events store, 50 a second");
        assertThat(notReady.restoring()).containsExactly(new StatusView.RestoreView("events", 2, 100, 400, 50));
        assertThat(progress.notReady(4)).hasMessage("partition 4 is being restored or moved");
    }
}
