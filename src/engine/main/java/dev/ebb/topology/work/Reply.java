package dev.ebb.topology.work;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandProgress;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.CommandResult.State;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.topology.crowd.CommandCrowd;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.removal.Outbox;
import java.time.Instant;
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

    public void done(CommandRequest request, Outcome outcome, long nowMs) {
        done(request, "", outcome, null, nowMs);
    }

    /** Reports that the command is done, with a detail and the plan that it made or carried out. */
    public void done(CommandRequest request, String detail, Outcome outcome, @Nullable PlanOutcome plan, long nowMs) {
        long deleted = outcome.deletions().eventsDeleted();
        if (deleted > 0 || hasOtherRecords(request)) {
            audit(request, deleted, nowMs);
        }
        finish(result(request, State.DONE, null, detail, outcome, plan, null, nowMs), nowMs);
    }

    public void refused(CommandRequest request, Refusal refusal, String detail, Outcome outcome, long nowMs) {
        auditEnd(request, outcome.deletions().eventsDeleted(), nowMs);
        refusedBefore(request, refusal, detail, outcome, nowMs);
    }

    /** Reports that the command is refused before it has done anything: the outcome is that of its forecast. */
    public void refusedBefore(CommandRequest request, Refusal refusal, String detail, Outcome outcome, long nowMs) {
        finish(result(request, State.REFUSED, refusal, detail, outcome, null, null, nowMs), nowMs);
    }

    /** Reports that the command ended while partitions were at work for it: they do more than the outcome says. */
    public void brokenOff(CommandRequest request, Refusal refusal, String detail, Outcome outcome, long nowMs) {
        audit(request, null, nowMs);
        refusedBefore(request, refusal, detail, outcome, nowMs);
    }

    /** Reports the progress of the command; this is not saved. */
    public void running(CommandRequest request, String detail, Outcome outcome, long nowMs) {
        outbox.result(result(request, State.RUNNING, null, detail, outcome, null, null, nowMs), nowMs);
    }

    /** Reports the progress of the command, counted in the things that it goes through; this is not saved. */
    public void running(CommandRequest request, Outcome outcome, CommandProgress progress, long nowMs) {
        outbox.result(result(request, State.RUNNING, null, "", outcome, null, progress, nowMs), nowMs);
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
            Outcome.Undone undone,
            @Nullable Long returned,
            long nowMs) {
        State state = refusal == null ? State.DONE : State.REFUSED;
        if (returned == null) {
            audit(request, null, nowMs);
        } else {
            auditEnd(request, returned, nowMs);
        }
        finish(result(request, state, refusal, detail, undone, null, null, nowMs), nowMs);
    }

    /** Reports to its sender that a command cannot even be read. */
    public void unreadable(String commandId, String verb, String detail, long nowMs) {
        CommandResult result = new CommandResult(
                commandId, verb, State.REFUSED, Refusal.BAD_COMMAND, detail, false, Outcome.nothing(), nowMs, "");
        refuseForNow(result, nowMs);
    }

    /** Reports to its sender that there is no room for a command. */
    public void busy(CommandRequest request, String detail, long nowMs) {
        refuseForNow(result(request, State.REFUSED, Refusal.BUSY, detail, Outcome.nothing(), null, null, nowMs), nowMs);
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
            CommandRequest request,
            State state,
            @Nullable Refusal refusal,
            String detail,
            Outcome outcome,
            @Nullable PlanOutcome plan,
            @Nullable CommandProgress progress,
            long nowMs) {
        return new CommandResult(
                request.commandId(),
                request.command().verb(),
                state,
                refusal,
                Shortened.to(Rejection.MAX_DETAIL, detail),
                request.isDryRun(),
                outcome,
                plan,
                progress,
                Instant.ofEpochMilli(notes.started(request.commandId(), nowMs)),
                Instant.ofEpochMilli(nowMs),
                request.fingerprint());
    }
}
