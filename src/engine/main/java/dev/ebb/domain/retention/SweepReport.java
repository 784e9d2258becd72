package dev.ebb.domain.retention;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.PolicyMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of one sweep of one partition (O-4).
 *
 * @param sweepId identifies the sweep
 * @param partition the partition of the events topic that was swept
 * @param trigger reason why it ran
 * @param point the time and policy version against which everything was decided
 * @param startedMs time at which it began, epoch milliseconds
 * @param completedMs time at which it ended, epoch milliseconds
 * @param streamsProcessed number of streams that lost events
 * @param found events and bytes by cause: deleted, or only found as {@code mode} says; causes without any are left out
 * @param protectedEvents number of protected events in those streams
 * @param heldEvents number of events in its scope that it skipped because of a hold
 * @param mode whether it deleted, or only found what it would have deleted
 * @param isStoppedEarly whether it was ended before it was done
 */
public record SweepReport(
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

        /** The sum of this tally, that number of events and their size. */
        public Tally plus(long moreEvents, long moreBytes) {
            return new Tally(events + moreEvents, bytes + moreBytes);
        }
    }

    public SweepReport {
        found = Snapshot.of(found);
    }

    /** The command that asked for the sweep, whose id a sweep by hand has; null if no command did. */
    public @Nullable String commandId() {
        return trigger == Trigger.COMMAND ? sweepId : null;
    }

    /** Events that were deleted and their size, by cause. */
    public Map<RemovalCause, Tally> deleted() {
        return mode == PolicyMode.ENFORCE ? found : Map.of();
    }

    /** Events that would be gone if the mode of the policies were not {@code warn}, and their size, by cause (M-16). */
    public Map<RemovalCause, Tally> wouldDelete() {
        return mode == PolicyMode.WARN ? found : Map.of();
    }

    /** Number of events that it deleted, whatever the cause. */
    public long eventsDeleted() {
        return events(deleted());
    }

    /** Number of events that it would have deleted, whatever the cause. */
    public long eventsWouldDelete() {
        return events(wouldDelete());
    }

    private static long events(Map<RemovalCause, Tally> tallies) {
        return tallies.values().stream().mapToLong(Tally::events).sum();
    }
}
