package dev.ebb.topology.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Errand.Step;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.serde.text.JsonState;
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
    private static final long OFFSET = 7;

    private final WorkFixture fixture = new WorkFixture(1 << 20, PARTITIONS);
    private final CommandRequest request = new CommandRequest(
            "u-1",
            "anna",
            "why",
            false,
            null,
            new Command.UndoDeletes(new UndoFilter("c-1", null, null, null, null, null, null, null), null));
    private final UndoLead lead = new UndoLead(fixture.parts, UndoLead.State.of(new Work.Asked(request, null)));

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

    /** No sum of counts by different policies decides anything. */
    @Test
    @Tag("T-3")
    void shouldCountAnewUntilAllGoByTheSamePolicies() {
        // given
        step();
        lead.answered(0, counted(5), NOW_MS);
        lead.answered(1, counted(6, OFFSET + 1), NOW_MS);

        // when
        assertThat(step()).isEqualTo(Progress.MORE);
        assertThat(step()).isEqualTo(Progress.WAITING);

        // then it waits for the newest, and takes no answer of the first count
        lead.answered(0, counted(5), NOW_MS);
        assertThat(step()).isEqualTo(Progress.WAITING);
        lead.answered(0, counted(3, OFFSET + 1), NOW_MS);
        lead.answered(1, counted(6, OFFSET + 1), NOW_MS);
        assertThat(step()).isEqualTo(Progress.MORE);
        assertThat(step()).isEqualTo(Progress.WAITING);
        long own = fixture.context.view().get().reflectedOffset();
        assertThat(fixture.sent(Step.SWEEP, SweepNow.class))
                .extracting(SweepNow::reflectedOffset)
                .containsExactly(own, own, OFFSET + 1, OFFSET + 1, OFFSET + 1, OFFSET + 1);
        assertThat(fixture.sent(Step.SWEEP, SweepNow.class))
                .extracting(order -> order.request().isDryRun())
                .containsExactly(true, true, true, true, false, false);
    }

    /** Where policies change all the time no count would be the last one. */
    @Test
    @Tag("T-3")
    void shouldCountThreeTimesAtMost() {
        for (int count = 0; count < 3; count++) {
            long offset = OFFSET + 2 * count;
            assertThat(step()).isEqualTo(Progress.WAITING);
            lead.answered(0, counted(5, offset), NOW_MS);
            lead.answered(1, counted(5, offset + 1), NOW_MS);
            assertThat(step()).isEqualTo(Progress.MORE);
        }

        // then
        step();
        assertThat(fixture.sent(Step.SWEEP, SweepNow.class))
                .extracting(order -> order.request().isDryRun())
                .containsExactly(true, true, true, true, true, true, false, false);
    }

    /** Partitions of a former version do not tell by which policies they have counted, and wait for none. */
    @Test
    @Tag("O-11")
    void shouldAskNoPartitionOfAFormerVersionAgain() {
        // given
        step();
        lead.answered(0, told(5, true), NOW_MS);
        lead.answered(1, counted(5), NOW_MS);

        // when
        step();
        step();

        // then
        assertThat(fixture.sent(Step.SWEEP, SweepNow.class))
                .extracting(order -> order.request().isDryRun())
                .containsExactly(true, true, false, false);
    }

    /** An order of a former version names no policies to wait for. */
    @Test
    @Tag("O-11")
    void shouldReadAnOrderOfAFormerVersion() {
        String now = JsonState.write(new SweepNow(request, 1, true, OFFSET));
        String then = now.replace(",\"sourceOffset\":" + OFFSET, "");

        assertThat(then).isNotEqualTo(now);
        assertThat(JsonState.read(then, SweepNow.class)).isEqualTo(new SweepNow(request, 1, true, null));
    }

    private Progress step() {
        return lead.step(NOW_MS, WorkFixture.budget());
    }

    private void answer(Swept each) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            lead.answered(partition, each, NOW_MS);
        }
    }

    private static Swept counted(long events, long reflectedOffset) {
        return Swept.ofUndo(outcome(events), true, reflectedOffset, null, "");
    }

    private static Swept counted(long events) {
        return Swept.ofUndo(outcome(events), true, OFFSET, null, "");
    }

    private static Swept returned(long events) {
        return Swept.ofUndo(outcome(events), false, OFFSET, null, "");
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
                isCount,
                null,
                null);
    }

    private static UndoOutcome outcome(long events) {
        return new UndoOutcome(events, 10 * events, 1, 0, Map.of(), List.of());
    }
}
