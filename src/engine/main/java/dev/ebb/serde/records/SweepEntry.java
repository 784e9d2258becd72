package dev.ebb.serde.records;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.retention.SweepReport.Tally;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of a sweep of one partition as it was read (O-4). Causes and triggers are as they were written, also by a
 * newer version. Times are epoch milliseconds.
 *
 * @param sweepId the sweep
 * @param commandId the command that asked for it; null if none did
 * @param partition the partition that was swept
 * @param trigger what made it run, for example SCHEDULE
 * @param sweepPointMs the time against which everything was decided
 * @param policyVersion the version of the policies by which everything was decided
 * @param startedMs when it began
 * @param completedMs when it ended
 * @param streamsProcessed how many streams lost events, or would have
 * @param deleted what went, by cause
 * @param wouldDelete what would have gone if the mode were not {@code warn}, by cause
 * @param protectedEvents protected events in those streams
 * @param heldEvents held events that it was kept from
 * @param mode {@code warn} if nothing was deleted but only found; else {@code enforce}, or empty if nobody said
 * @param isStoppedEarly whether something ended it before it was done
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

    /** What joins the reports of all partitions: the command, or else the sweep. */
    public String groupId() {
        return commandId == null ? sweepId : commandId;
    }

    /** Whether it is a report of that sweep or command. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId);
    }
}
