package dev.ebb.topology;

import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The outcomes of results, for tests that know of which kind they are. */
public final class Outcomes {

    private Outcomes() {}

    /** Returns these counts; tests that name all of them do it here, so that another count changes only this. */
    public static Outcome.Deleted deleted(
            long streamsProcessed,
            long streamsDeleted,
            long executionsDeleted,
            long eventsDeleted,
            long protectedEventsDeleted,
            long bytesDeleted,
            Map<Refusal, Long> streamsSkipped) {
        return new Outcome.Deleted(
                streamsProcessed,
                streamsDeleted,
                executionsDeleted,
                eventsDeleted,
                protectedEventsDeleted,
                bytesDeleted,
                streamsSkipped);
    }

    public static Outcome.Swept swept(CommandResult result) {
        return (Outcome.Swept) result.outcome();
    }

    public static long sweepPointMs(CommandResult result) {
        return swept(result).sweepPoint().toEpochMilli();
    }

    /** Returns what came back; null if the command was no undo. */
    public static Outcome.@Nullable Undone undone(CommandResult result) {
        return result.outcome() instanceof Outcome.Undone undone ? undone : null;
    }

    public static Outcome.Repaired repaired(CommandResult result) {
        return (Outcome.Repaired) result.outcome();
    }

    public static Outcome.Dropped dropped(CommandResult result) {
        return (Outcome.Dropped) result.outcome();
    }

    /** Returns the events that would go but stayed: all of a dry run, and those that mode {@code warn} keeps (O-5a). */
    public static long wouldDelete(CommandResult result) {
        return result.outcome() instanceof Outcome.Deleted deleted
                ? deleted.wouldDelete()
                : swept(result).wouldDelete();
    }

    /** Returns the size of the events that would go but stayed, in bytes. */
    public static long wouldDeleteBytes(CommandResult result) {
        return result.outcome() instanceof Outcome.Deleted deleted
                ? deleted.wouldDeleteBytes()
                : swept(result).wouldDeleteBytes();
    }
}
