package dev.ebb.topology.work;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandCounts;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.undo.UndoOutcome;
import dev.ebb.topology.crowd.CommandCrowd;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.wire.BiggestParts;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reply to the sender of a command: sends the result, and saves it for a repeated command. Not thread-safe. */
public final class Reply {

    private final CommandContext context;
    private final Outbox outbox;
    private final CommandNotes notes;
    private final RetentionObserver observer;
    private final CommandCrowd crowd;
    private final int partition;

    public Reply(CommandContext context, CommandNotes notes, CommandCrowd crowd) {
        this.context = context;
        this.outbox = context.outbox();
        this.notes = notes;
        this.observer = context.observer();
        this.crowd = crowd;
        this.partition = context.partition();
    }

    /** Saves the start of the command until its result is sent. */
    public void started(CommandRequest request, long nowMs) {
        notes.saveStarted(request, nowMs);
    }

    /** Returns the start time of the command, or the given time if it was not saved. */
    public long startedMs(String commandId, long nowMs) {
        return notes.started(commandId, nowMs);
    }

    private record Outcome(
            State state,
            @Nullable Refusal refusal,
            String detail,
            @Nullable PlanOutcome plan,
            @Nullable UndoOutcome undo) {

        static Outcome of(State state, @Nullable Refusal refusal, String detail) {
            return new Outcome(state, refusal, detail, null, null);
        }
    }

    private record Sweep(
            BiggestParts parts,
            @Nullable Long pointMs,
            @Nullable Long policyVersion) {

        static final Sweep NONE = new Sweep(new BiggestParts(List.of(), 0, List.of(), 0), null, null);
    }

    public void done(CommandRequest request, CommandCounts counts, long nowMs) {
        done(request, "", counts, null, nowMs);
    }

    /** Reports that the command is done, with a detail and the plan that it made or carried out. */
    public void done(
            CommandRequest request, String detail, CommandCounts counts, @Nullable PlanOutcome plan, long nowMs) {
        if (counts.eventsDeleted() == 0 && hasOtherRecords(request)) {
            audit(request, 0L, nowMs);
        } else {
            auditEnd(request, counts.eventsDeleted(), nowMs);
        }
        finish(result(request, new Outcome(State.DONE, null, detail, plan, null), counts, Sweep.NONE, nowMs), nowMs);
    }

    public void refused(CommandRequest request, Refusal refusal, String detail, CommandCounts counts, long nowMs) {
        auditEnd(request, counts.eventsDeleted(), nowMs);
        finish(result(request, Outcome.of(State.REFUSED, refusal, detail), counts, Sweep.NONE, nowMs), nowMs);
    }

    /** Reports that the command is refused before it has done anything: the counts are those of its forecast. */
    public void refusedBefore(
            CommandRequest request, Refusal refusal, String detail, CommandCounts counts, long nowMs) {
        finish(result(request, Outcome.of(State.REFUSED, refusal, detail), counts, Sweep.NONE, nowMs), nowMs);
    }

    /** Reports that the command ended while partitions were at work for it: they do more than the counts say. */
    public void brokenOff(CommandRequest request, Refusal refusal, String detail, CommandCounts counts, long nowMs) {
        audit(request, null, nowMs);
        finish(result(request, Outcome.of(State.REFUSED, refusal, detail), counts, Sweep.NONE, nowMs), nowMs);
    }

    /** Reports the progress of the command; this is not saved. */
    public void running(CommandRequest request, String detail, CommandCounts counts, long nowMs) {
        outbox.result(result(request, Outcome.of(State.RUNNING, null, detail), counts, Sweep.NONE, nowMs), nowMs);
    }

    /**
     * Reports the end of an undo, as refused if there is a reason for it.
     *
     * @param returned number of events that are back, which the outcome of a refused undo only forecasts; null if
     *     partitions are still at work
     */
    public void undone(
            CommandRequest request,
            @Nullable Refusal refusal,
            String detail,
            UndoOutcome undo,
            @Nullable Long returned,
            long nowMs) {
        State state = refusal == null ? State.DONE : State.REFUSED;
        Outcome outcome = new Outcome(state, refusal, detail, null, undo);
        if (returned == null) {
            audit(request, null, nowMs);
        } else {
            auditEnd(request, returned, nowMs);
        }
        finish(result(request, outcome, CommandCounts.NOTHING, Sweep.NONE, nowMs), nowMs);
    }

    /** Reports the progress of an undo; this is not saved. */
    public void undoing(CommandRequest request, UndoOutcome undo, long nowMs) {
        Outcome outcome = new Outcome(State.RUNNING, null, "", null, undo);
        outbox.result(result(request, outcome, CommandCounts.NOTHING, Sweep.NONE, nowMs), nowMs);
    }

    /** Reports the progress of the command, counted in the things that it goes through. */
    public void running(CommandRequest request, CommandCounts counts, CommandProgress progress, long nowMs) {
        Outcome outcome = Outcome.of(State.RUNNING, null, "");
        outbox.result(result(request, outcome, counts, Sweep.NONE, nowMs).at(progress), nowMs);
    }

    /** Reports the result of a sweep. */
    public void swept(
            CommandRequest request,
            String detail,
            CommandCounts counts,
            BiggestParts parts,
            long pointMs,
            long policyVersion,
            @Nullable PlanOutcome plan,
            long nowMs) {
        Sweep sweep = new Sweep(parts, pointMs, policyVersion);
        auditEnd(request, counts.eventsDeleted(), nowMs);
        finish(result(request, new Outcome(State.DONE, null, detail, plan, null), counts, sweep, nowMs), nowMs);
    }

    /** Reports to its sender that a command cannot even be read. */
    public void unreadable(String commandId, String verb, String detail, long nowMs) {
        CommandResult result = new CommandResult(
                commandId,
                verb,
                State.REFUSED,
                Refusal.BAD_COMMAND,
                detail,
                false,
                CommandCounts.NOTHING,
                List.of(),
                0,
                null,
                null,
                nowMs,
                nowMs,
                "");
        refuseForNow(result, nowMs);
    }

    /** Reports to its sender that there is no room for a command. */
    public void busy(CommandRequest request, String detail, long nowMs) {
        Outcome outcome = Outcome.of(State.REFUSED, Refusal.BUSY, detail);
        refuseForNow(result(request, outcome, CommandCounts.NOTHING, Sweep.NONE, nowMs), nowMs);
    }

    /** Sends a refusal that is not saved: the sender may send a command under the same id again. */
    private void refuseForNow(CommandResult result, long nowMs) {
        outbox.result(result, nowMs);
        observer.commandRefused(partition, result);
    }

    private void finish(CommandResult result, long nowMs) {
        outbox.result(result, nowMs);
        notes.saveResult(result, nowMs);
        notes.forgetStarted(result.commandId());
        crowd.leave(result.commandId());
        observer.commandEnded(result);
    }

    /** Writes to the audit how many events the command has deleted or brought back; nothing if there are none. */
    private void auditEnd(CommandRequest request, long total, long nowMs) {
        if (total > 0) {
            audit(request, total, nowMs);
        }
    }

    /** Returns true if the command has audit records even if it has deleted no event and brought none back. */
    private static boolean hasOtherRecords(CommandRequest request) {
        return request.command() instanceof Command.EraseEvents || request.command() instanceof Command.RepairMirror;
    }

    /** @param total the number of its events; null if it is not known */
    private void audit(CommandRequest request, @Nullable Long total, long nowMs) {
        if (!request.isDryRun()) {
            String undoes = request.command() instanceof Command.UndoDeletes undo
                    ? undo.filter().command()
                    : null;
            AuditRecord end = AuditRecord.ofEnd(request.auditId("done"), request.origin(), undoes, total, nowMs);
            context.store().send(() -> outbox.audit(end));
        }
    }

    private CommandResult result(
            CommandRequest request, Outcome outcome, CommandCounts counts, Sweep sweep, long nowMs) {
        return new CommandResult(
                request.commandId(),
                request.command().verb(),
                outcome.state(),
                outcome.refusal(),
                Shortened.to(Rejection.MAX_DETAIL, outcome.detail()),
                request.isDryRun(),
                counts,
                sweep.parts().list(),
                sweep.parts().leftOut(),
                sweep.parts().rest(),
                sweep.pointMs(),
                sweep.policyVersion(),
                outcome.plan(),
                outcome.undo(),
                null,
                notes.started(request.commandId(), nowMs),
                nowMs,
                request.fingerprint());
    }
}
