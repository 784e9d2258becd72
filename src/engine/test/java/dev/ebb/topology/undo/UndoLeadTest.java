package dev.ebb.topology.undo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand.Step;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.Work.Progress;
import dev.ebb.topology.work.WorkFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class UndoLeadTest {

    private static final long NOW_MS = 1_000_000;
    private static final int PARTITIONS = 2;

    private final WorkFixture fixture = new WorkFixture(1 << 20, PARTITIONS);
    private final CommandRequest request = new CommandRequest(
            "u-1",
            "anna",
            "why",
            false,
            null,
            new Command.UndoDeletes(new UndoFilter("c-1", null, null, null, null, null, null, null), null));
    private final UndoLead lead = new UndoLead(fixture.parts, UndoLead.State.of(new Work.Asked(request, null)));

    /** At least once, an answer may come again: it counts once. */
    @Test
    @Tag("T-4")
    void shouldTakeOneAnswerOfEachPartition() {
        // given
        assertThat(step()).isEqualTo(Progress.WAITING);

        // when
        lead.answered(0, returned(4), NOW_MS);
        lead.answered(0, returned(4), NOW_MS);

        // then
        assertThat(step()).isEqualTo(Progress.WAITING);

        // when
        lead.answered(1, returned(4), NOW_MS);

        // then
        assertThat(step()).isEqualTo(Progress.DONE);
        assertThat(fixture.results())
                .last()
                .extracting(CommandResult::outcome)
                .isEqualTo(new Undone(8, 80, 2, 0, Map.of(), List.of()));
    }

    /** Nothing is counted before: what comes back stands under a notice instead. */
    @Test
    @Tag("T-3")
    void shouldAskEachPartitionOnce() {
        step();
        answer(returned(5));

        assertThat(step()).isEqualTo(Progress.DONE);
        assertThat(fixture.sent(Step.SWEEP, SweepNow.class))
                .extracting(order -> order.request().isDryRun())
                .containsExactly(false, false);
    }

    /** Its partitions go on, and nobody adds up what they bring back. */
    @Test
    @Tag("T-17")
    void shouldNotSayHowManyEventsAreBackIfItFailsBeforeItsPartitionsAreDone() {
        step();
        lead.answered(0, returned(4), NOW_MS);

        lead.fail("broken", NOW_MS);

        assertThat(fixture.audits()).singleElement().satisfies(end -> {
            assertThat(end.action()).isEqualTo(AuditRecord.DONE);
            assertThat(end.total()).isNull();
            assertThat(end.undoes()).isEqualTo("c-1");
        });
    }

    private Progress step() {
        return lead.step(NOW_MS, WorkFixture.budget());
    }

    private void answer(Swept each) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            lead.answered(partition, each, NOW_MS);
        }
    }

    private static Swept returned(long events) {
        return Swept.without(outcome(events), null, "");
    }

    private static Undone outcome(long events) {
        return new Undone(events, 10 * events, 1, 0, Map.of(), List.of());
    }
}
