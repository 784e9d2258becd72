package dev.ebb.serde.records;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a sweep of one partition as it was read (O-4). Causes and triggers are as written, also by a newer
 * version. Times are epoch milliseconds.
 *
 * @param sweepId the sweep
 * @param commandId the command that asked for it; null if there is none
 * @param partition the partition that was swept
 * @param trigger reason why it ran, for example SCHEDULE
 * @param sweepPointMs the time against which everything was decided
 * @param policyVersion the version of the policies by which everything was decided
 * @param startedMs time at which it began
 * @param completedMs time at which it ended
 * @param streamsProcessed number of streams that lost events, or would have
 * @param deleted events that were deleted and their size, by cause
 * @param wouldDelete events that would have been deleted if the mode were not {@code warn}, and their size, by cause
 * @param protectedEvents protected events in those streams
 * @param heldEvents held events that it skipped
 * @param mode {@code warn} if nothing was deleted but only found; else {@code enforce}, or empty if not named
 * @param isStoppedEarly whether it was ended before it was done
 */
public record SweepEntry(
        String sweepId,
        @Nullable String commandId,
        int partition,
        String trigger,
        long sweepPointMs,
        long policyVersion,
        long startedMs,
        long completedMs,
        long streamsProcessed,
        Map<String, Tally> deleted,
        Map<String, Tally> wouldDelete,
        long protectedEvents,
        long heldEvents,
        String mode,
        boolean isStoppedEarly) {

    public SweepEntry {
        deleted = Snapshot.of(deleted);
        wouldDelete = Snapshot.of(wouldDelete);
    }

    /** The id that joins the reports of all partitions: that of the command, or else of the sweep. */
    public String groupId() {
        return commandId == null ? sweepId : commandId;
    }

    /** Whether this is a report of that sweep or command. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId);
    }
}
