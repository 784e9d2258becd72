package dev.ebb.topology.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-6")
class PromptCommitTest {

    private static final long NOW_MS = 1_800_000_000_000L;

    private final MockProcessorContext<byte[], byte[]> context = new MockProcessorContext<>();
    private final PromptCommit commits = new PromptCommit(context);

    @Test
    void shouldCommitWhatABusyTaskHasSentForASecond() {
        // given
        at(0);
        send(PromptCommit.MANY);
        assertThat(context.committed()).isFalse();

        // when: below
        at(PromptCommit.BUSY.toMillis() - 1);
        send(PromptCommit.MANY);

        // then
        assertThat(context.committed()).isFalse();

        // when: at
        at(PromptCommit.BUSY.toMillis());
        send(PromptCommit.MANY);

        // then
        assertThat(context.committed()).isTrue();
    }

    /** A transaction without anything that waits for its end ends untold. */
    @Test
    void shouldCommitOnceASecondWithoutBeingToldOfTheEnd() {
        // given
        at(0);
        send(PromptCommit.MANY);
        at(1000);
        send(PromptCommit.MANY);
        context.resetCommit();

        // when: below
        at(1500);
        send(PromptCommit.MANY);
        at(2499);
        send(PromptCommit.MANY);

        // then
        assertThat(context.committed()).isFalse();

        // when: at
        at(2500);
        send(PromptCommit.MANY);

        // then
        assertThat(context.committed()).isTrue();
    }

    @Test
    void shouldLetFewRecordsWaitForTheInterval() {
        // when
        at(0);
        send(PromptCommit.MANY);
        commits.ends();
        at(60_000);
        send(PromptCommit.MANY);
        at(60_999);
        send(2 * PromptCommit.MANY - 1);

        // then
        assertThat(context.committed()).isFalse();
    }

    private void at(long ms) {
        context.setCurrentSystemTimeMs(NOW_MS + ms);
    }

    private void send(int records) {
        for (int i = 0; i < records; i++) {
            commits.sent();
        }
    }
}
