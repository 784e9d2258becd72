package dev.ebb.domain.retention;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.PolicyMode;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Report of one sweep of one partition (O-4). Causes and triggers are as they were written, also by a newer version.
 * Times are epoch milliseconds.
 *
 * @param sweepId identifies the sweep
 * @param commandId the command that asked for it, whose id a sweep by hand has; null if no command did
 * @param partition the partition of the events topic that was swept
 * @param trigger reason why it ran, as a rule a {@link Trigger}
 * @param sweepPointMs the time against which everything was decided
 * @param policyVersion the version of the policies by which everything was decided
 * @param startedMs time at which it began
 * @param completedMs time at which it ended
 * @param streamsProcessed number of streams that lost events, or would have
 * @param deleted events that were deleted and their size, by cause; causes without any are left out
 * @param wouldDelete events that would be gone if the mode of the policies were not {@code warn}, and their size, by
 *     cause (M-16)
 * @param protectedEvents number of protected events in those streams
 * @param heldEvents number of events in its scope that it skipped because of a hold
 * @param mode {@code enforce}, or {@code warn} if nothing was deleted but only found
 * @param isStoppedEarly true if it was ended before it was done
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

        /** The sum of this tally, that number of events and their size. */
        public Tally plus(long moreEvents, long moreBytes) {
            return new Tally(events + moreEvents, bytes + moreBytes);
        }
    }

    /** A former version reported as deleted what mode {@code warn} only found. */
    public SweepReport {
        boolean isOfFormerVersion = wouldDelete.isEmpty() && mode.equals(PolicyMode.WARN.text());
        wouldDelete = Snapshot.of(isOfFormerVersion ? deleted : wouldDelete);
        deleted = isOfFormerVersion ? Map.of() : Snapshot.of(deleted);
    }

    /**
     * A report of this version.
     *
     * @param found events and bytes by cause: deleted, or only found as {@code mode} says
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

    /** The id that joins the reports of all partitions: that of the command, or else of the sweep. */
    public String groupId() {
        return commandId == null ? sweepId : commandId;
    }

    /** Returns true if this is a report of that sweep or command. */
    public boolean isOf(String sweepOrCommand) {
        return sweepOrCommand.equals(sweepId) || sweepOrCommand.equals(commandId);
    }
}
