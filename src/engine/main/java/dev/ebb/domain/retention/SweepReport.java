package dev.ebb.domain.retention;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.PolicyMode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one sweep of one partition did (O-4).
 *
 * @param sweepId identifies the sweep
 * @param partition the partition of the events topic that was swept
 * @param trigger what made it run
 * @param point the time and policy version against which everything was decided
 * @param startedMs when it began, epoch milliseconds
 * @param completedMs when it ended, epoch milliseconds
 * @param streamsProcessed how many streams lost events
 * @param found events and bytes by cause: deleted, or only found as {@code mode} says; causes without any are left out
 * @param protectedEvents how many protected events stand in those streams
 * @param heldEvents how many events in its scope a hold kept it from looking at
 * @param mode whether it deleted, or only found what it would have deleted
 * @param isStoppedEarly whether something ended it before it was done
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

    /** What makes a sweep run. */
    public enum Trigger {
        /** The interval of the policies had passed. */
        SCHEDULE,
        /** A person asked for it. */
        COMMAND
    }

    /**
     * A number of events and their size.
     *
     * @param events how many
     * @param bytes how big
     */
    public record Tally(long events, long bytes) {

        public static final Tally ZERO = new Tally(0, 0);

        /** This and one more event of that size. */
        public Tally plus(long moreEvents, long moreBytes) {
            return new Tally(events + moreEvents, bytes + moreBytes);
        }
    }

    public SweepReport {
        found = Snapshot.of(found);
    }

    /** The command that asked for it, whose id a sweep by hand has; null if nobody did. */
    public @Nullable String commandId() {
        return trigger == Trigger.COMMAND ? sweepId : null;
    }

    /** What is gone, by cause. */
    public Map<RemovalCause, Tally> deleted() {
        return mode == PolicyMode.ENFORCE ? found : Map.of();
    }

    /** What would be gone if the mode of the policies were not {@code warn}, by cause (M-16). */
    public Map<RemovalCause, Tally> wouldDelete() {
        return mode == PolicyMode.WARN ? found : Map.of();
    }

    /** How many events it deleted, whatever the cause. */
    public long eventsDeleted() {
        return events(deleted());
    }

    /** How many events it would have deleted, whatever the cause. */
    public long eventsWouldDelete() {
        return events(wouldDelete());
    }

    private static long events(Map<RemovalCause, Tally> tallies) {
        return tallies.values().stream().mapToLong(Tally::events).sum();
    }
}
