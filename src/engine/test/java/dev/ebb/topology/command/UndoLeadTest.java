package dev.ebb.topology.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand.Step;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.topology.command.Work.Progress;
import dev.ebb.topology.wire.ErrandBodies.SweepNow;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    private final UndoLead lead = new UndoLead(fixture.parts, UndoLead.State.of(request));

    /** At least once, the answers of the count may come again; the undo would end before anything is back. */
    @Test
    @Tag("T-4")
    void shouldNotTakeTheCountForTheReturn() {
        // given
        assertThat(step()).isEqualTo(Progress.WAITING);
        answer(counted(5));
        assertThat(step()).isEqualTo(Progress.MORE);
        assertThat(step()).isEqualTo(Progress.WAITING);
        assertThat(fixture.sent(Step.SWEEP, SweepNow.class))
                .extracting(order -> order.request().isDryRun())
                .containsExactly(true, true, false, false);

        // when
        answer(counted(5));

        // then
        assertThat(step()).isEqualTo(Progress.WAITING);

        // when
        answer(returned(4));

        // then
        assertThat(step()).isEqualTo(Progress.DONE);
        assertThat(fixture.results())
                .last()
                .extracting(CommandResult::undo)
                .isEqualTo(new UndoOutcome(8, 80, 2, 0, Map.of(), List.of()));
    }

    /** A partition that a former version leads to its end does not tell which round its answer is of. */
    @Test
    void shouldTakeTheAnswersOfAFormerVersion() {
        step();
        answer(told(5, null));
        step();
        step();
        answer(told(5, null));

        assertThat(step()).isEqualTo(Progress.DONE);
    }

    private Progress step() {
        return lead.step(NOW_MS, WorkFixture.budget());
    }

    private void answer(Swept each) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            lead.answered(partition, each, NOW_MS);
        }
    }

    private static Swept counted(long events) {
        return Swept.ofUndo(outcome(events), true, null, "");
    }

    private static Swept returned(long events) {
        return Swept.ofUndo(outcome(events), false, null, "");
    }

    private static Swept told(long events, @Nullable Boolean isCount) {
        Swept now = counted(events);
        return new Swept(
                now.counts(),
                now.parts(),
                now.partsLeftOut(),
                now.rest(),
                now.policyVersion(),
                now.refusal(),
                now.detail(),
                now.plan(),
                now.undo(),
                now.erased(),
                isCount);
    }

    private static UndoOutcome outcome(long events) {
        return new UndoOutcome(events, 10 * events, 1, 0, Map.of(), List.of());
    }
}
