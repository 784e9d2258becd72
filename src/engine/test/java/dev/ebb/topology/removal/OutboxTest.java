package dev.ebb.topology.removal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.topology.TestRecords;
import dev.ebb.topology.receipt.TestTree;
import dev.ebb.topology.source.SourceTargets;
import dev.ebb.topology.trash.TestBook;
import dev.ebb.topology.trash.TestTerms;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.Nodes;
import dev.ebb.topology.wire.RecordLimits;
import java.io.File;
import java.util.Properties;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutboxTest {

    private static final long NOW_MS = 1_800_000_000_000L;

    private final MockProcessorContext<Addressed, byte[]> context =
            new MockProcessorContext<>(new Properties(), new TaskId(0, 1), new File("unused"));
    private final Outbox outbox = new Outbox(
            context,
            new TestRecords(),
            new MirrorRows(),
            new RecordLimits(1 << 20),
            TestTree.empty(),
            new SourceTargets(),
            TestTerms.NONE,
            TestBook.empty());

    @Test
    @Tag("O-12")
    void shouldNotLetWhoWaitsForAnAnswerWaitForTheInterval() {
        // when
        outbox.result(done(), NOW_MS);

        // then
        assertThat(context.forwarded(Nodes.RESULTS_SINK)).hasSize(1);
        assertThat(context.committed()).isTrue();
    }

    @Test
    void shouldLeaveTheIntervalToWhatNobodyWaitsFor() {
        // when
        outbox.mirrorExecutionDelete(new StreamName("a"), 1, NOW_MS);

        // then
        assertThat(context.forwarded(Nodes.EXECUTION_MIRROR_SINK)).hasSize(1);
        assertThat(context.committed()).isFalse();
    }

    @Test
    @Tag("O-11")
    void shouldNotMakeATransactionOfEachOfManyAnswers() {
        // given
        outbox.result(done(), NOW_MS);
        context.resetCommit();

        // when
        outbox.result(done(), NOW_MS + 1);
        outbox.result(done(), NOW_MS + 49);

        // then
        assertThat(context.committed()).isFalse();
        assertThat(outbox.commits().isWanted()).isTrue();
        outbox.commits().look(NOW_MS + 50);
        assertThat(context.committed()).isTrue();
        assertThat(outbox.commits().isWanted()).isFalse();
    }

    @Test
    @Tag("O-11")
    void shouldNotWaitForAClockThatHasSteppedBack() {
        // given
        outbox.result(done(), NOW_MS);
        context.resetCommit();

        // when
        outbox.result(done(), NOW_MS - 60_000);

        // then
        assertThat(context.committed()).isTrue();
    }

    private static CommandResult done() {
        return new CommandResult(
                "c-1", "delete", CommandResult.State.DONE, null, "", false, Outcome.nothing(), NOW_MS, "");
    }
}
