package dev.ebb.topology.observe;

import dev.ebb.domain.SharingMap;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.store.layout.NamespaceTotals;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one task stands. Immutable.
 *
 * @param partition the partition of the events topic
 * @param sweepState what the sweeper does or waits for
 * @param lastSweepPointMs the {@code now} of the last sweep, whether or not it found something; -1 if there was none
 * @param lastSweepCompletedMs when it ended; -1 if there was none
 * @param nextSweepMs when the next one is due, epoch milliseconds; -1 if none is
 * @param policyVersion the version of the policies that the task goes by
 * @param backlogStreams how many streams have something due or are over a cap
 * @param movingStreams how many streams are on their way into another arrangement
 * @param parkedRecords how many records cannot be taken in yet
 * @param parkedFor what they wait for: what most of them do, at most {@value #MOST_PARKED}
 * @param namespaces what the namespaces hold
 * @param lastReport the last sweep that removed something; null if none has since the task started
 * @param stale what has been protected for too long
 * @param quarantined streams from which nothing is deleted until somebody has looked at them, with the reasons; at most
 *     {@link #SHOWN_QUARANTINED} of them
 * @param quarantinedStreams how many there are
 * @param graves of how many deleted streams it is remembered when that was, see {@link dev.ebb.store.state.Graves}
 */
public record TaskStatus(
        int partition,
        SweepState sweepState,
        long lastSweepPointMs,
        long lastSweepCompletedMs,
        long nextSweepMs,
        long policyVersion,
        long backlogStreams,
        long movingStreams,
        long parkedRecords,
        List<Parked> parkedFor,
        Map<String, NamespaceTotals> namespaces,
        @Nullable SweepReport lastReport,
        Stale stale,
        Map<String, String> quarantined,
        long quarantinedStreams,
        long graves) {

    /** So many quarantined streams are named; the others are counted. */
    public static final int SHOWN_QUARANTINED = 20;

    /**
     * Work that somebody must look at, since retention will never remove it (O-6).
     *
     * @param events how many events have been protected for longer than the threshold
     * @param streams those of them with the most such events, and how many they have
     */
    public record Stale(long events, Map<String, Long> streams) {

        public static final Stale NONE = new Stale(0, Map.of());

        public Stale {
            streams = Snapshot.of(streams);
        }
    }

    /** More reasons to wait than these are not told one by one. */
    public static final int MOST_PARKED = 5;

    /**
     * How much waits for the same.
     *
     * @param waitsFor what it waits for
     * @param streams how many streams
     * @param records how many records of theirs
     */
    public record Parked(Wait waitsFor, long streams, long records) {}

    public TaskStatus {
        parkedFor = List.copyOf(parkedFor);
        quarantined = Snapshot.of(quarantined);
        // Said each second of each task, so it must not cost what there is.
        namespaces = namespaces instanceof SharingMap ? namespaces : Snapshot.of(namespaces);
    }

    /** The same after a sweep that found nothing, or none. */
    public TaskStatus after(long sweepPointMs, long sweepCompletedMs, long nextMs) {
        return new TaskStatus(
                partition,
                sweepState,
                sweepPointMs,
                sweepCompletedMs,
                nextMs,
                policyVersion,
                backlogStreams,
                movingStreams,
                parkedRecords,
                parkedFor,
                namespaces,
                lastReport,
                stale,
                quarantined,
                quarantinedStreams,
                graves);
    }

    /** What the sweeper does or waits for. */
    public enum SweepState {
        /** Sweeping is switched off. */
        DISABLED,
        /** The input that was there at the start has not been taken in. */
        WAITING_FOR_INPUT,
        /** The policies that were there at the start are not in force yet. */
        WAITING_FOR_POLICIES,
        /** The clock of this instance cannot be trusted. */
        CLOCK_GUARD,
        /** A policy cannot be read yet. */
        POLICY_UNREADABLE,
        /** The instance does not see a hold yet that the task has confirmed elsewhere. */
        WAITING_FOR_HOLDS,
        /** A change of policies is being taken in. */
        TAKING_IN_POLICIES,
        /** Events are being removed. */
        SWEEPING,
        /** Nothing is due. */
        IDLE;

        /** Whether what is due goes. */
        public boolean isAtWork() {
            return this == SWEEPING || this == IDLE;
        }
    }
}
