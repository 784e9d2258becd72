package dev.ebb.domain.retention;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.PolicyMode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The report of one sweep of one partition (O-4). Causes and triggers are as they were written, also by a newer
 * version. Times are epoch milliseconds.
 *
 * @param sweepId identifies the sweep
 * @param commandId the command that asked for the sweep, whose id is the id of the sweep; null if there is none
 * @param partition the partition of the events topic that was swept
 * @param trigger the reason why it ran, usually a {@link Trigger}
 * @param sweepPointMs the time at which everything was decided
 * @param policyVersion the version of the policies by which everything was decided
 * @param startedMs the time at which it began
 * @param completedMs the time at which it ended
 * @param streamsProcessed number of streams that lost events, or would have lost events
 * @param deleted number and size of the deleted events, by cause; causes without events are left out
 * @param wouldDelete number and size of the events that only mode {@code warn} kept, by cause (M-16)
 * @param protectedEvents number of protected events in those streams
 * @param heldEvents number of events in its scope that it skipped because of a hold
 * @param mode {@code enforce}, or {@code warn} if events were only found and not deleted
 * @param isStoppedEarly true if it ended before it was done
 */
public record SweepReport(
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

    /** Reasons why a sweep runs. */
    public enum Trigger {
        /** The interval of the policies had passed. */
        SCHEDULE,
        /** A person asked for the sweep. */
        COMMAND
    }

    /**
     * A number of events and their size.
     *
     * @param events number of events
     * @param bytes size of the events, in bytes
     */
    public record Tally(long events, long bytes) {

        public static final Tally ZERO = new Tally(0, 0);

        /** Returns the sum of this tally and the given events. */
        public Tally plus(long moreEvents, long moreBytes) {
            return new Tally(events + moreEvents, bytes + moreBytes);
        }

        /** Returns the sum of both tallies. */
        public Tally plus(Tally other) {
            return plus(other.events, other.bytes);
        }
    }

    public SweepReport {
        wouldDelete = Snapshot.of(wouldDelete);
        deleted = Snapshot.of(deleted);
    }

    /**
     * Creates a report of this version.
     *
     * @param found number and size of the events by cause: deleted, or only found, depending on {@code mode}
     */
    public SweepReport(
            String sweepId,
            int partition,
            Trigger trigger,
            SweepPoint point,
            long startedMs,
            long completedMs,
            long streamsProcessed,
            Map<RemovalCause, Tally> found,
            long protectedEvents,
            long heldEvents,
            PolicyMode mode,
            boolean isStoppedEarly) {
        this(
                sweepId,
                trigger == Trigger.COMMAND ? sweepId : null,
                partition,
                trigger.name(),
                point.nowMs(),
                point.policyVersion(),
                startedMs,
                completedMs,
                streamsProcessed,
                mode == PolicyMode.ENFORCE ? named(found) : Map.of(),
                mode == PolicyMode.WARN ? named(found) : Map.of(),
                protectedEvents,
                heldEvents,
                mode.text(),
                isStoppedEarly);
    }

    private static Map<String, Tally> named(Map<RemovalCause, Tally> found) {
        Map<String, Tally> named = new HashMap<>();
        found.forEach((cause, tally) -> named.put(cause.name(), tally));
        return named;
    }

    /** Returns the id that joins the reports of all partitions: that of the command, or else of the sweep. */
    public String groupId() {
        return commandId == null ? sweepId : commandId;
    }

    /** Returns true if this is a report of the sweep or command. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId);
    }
}
