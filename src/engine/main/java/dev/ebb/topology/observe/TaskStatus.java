package dev.ebb.topology.observe;

import dev.ebb.domain.SharingMap;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.store.layout.NamespaceTotals;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Status of one task. Immutable.
 *
 * @param partition the partition of the events topic
 * @param sweepState current work of the sweeper, or the thing it waits for
 * @param lastSweepPointMs the {@code now} of the last sweep, whether or not it found something; -1 if there was none
 * @param lastSweepCompletedMs time at which the last sweep ended; -1 if there was none
 * @param nextSweepMs time at which the next sweep is due, epoch milliseconds; -1 if none is
 * @param policyVersion the version of the policies that the task follows
 * @param backlogStreams number of streams that have something due or are over a cap
 * @param movingStreams number of streams on their way into another arrangement
 * @param parkedRecords number of records that cannot be taken in yet
 * @param parkedFor the things that most of these records wait for, at most {@value #MOST_PARKED}
 * @param namespaces contents of the namespaces
 * @param lastReport report of the last sweep that removed something; null if none has since the task started
 * @param stale work that has been protected for too long
 * @param quarantined streams from which nothing is deleted until an operator has looked at them, with the reasons; at
 *     most {@link #SHOWN_QUARANTINED} of them
 * @param quarantinedStreams number of quarantined streams
 * @param graves number of deleted streams whose time of deletion is remembered, see {@link dev.ebb.store.state.Graves}
 * @param trash the deletes that can be undone, by reason and namespace, the latest first
 * @param commands commands that this partition leads and that are not done: the start of the oldest, epoch
 *     milliseconds, by verb
 * @param crowd the number of these commands
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
        long graves,
        List<TrashSum> trash,
        Map<String, Long> commands,
        Crowd crowd) {

    /**
     * Commands that a partition leads and that are not done.
     *
     * @param bulk number of commands over many streams
     * @param single number of commands on a single stream
     */
    public record Crowd(int bulk, int single) {

        public static final Crowd NONE = new Crowd(0, 0);
    }

    /** Largest number of quarantined streams that are named; the others are only counted. */
    public static final int SHOWN_QUARANTINED = 20;

    /**
     * Work that an operator must look at, since retention will never remove it (O-6).
     *
     * @param events number of events that have been protected for longer than the threshold
     * @param streams the streams with the most such events, and how many they have
     */
    public record Stale(long events, Map<String, Long> streams) {

        public static final Stale NONE = new Stale(0, Map.of());

        public Stale {
            streams = Snapshot.of(streams);
        }
    }

    /** Largest number of reasons to wait that are reported singly. */
    public static final int MOST_PARKED = 5;

    /**
     * Streams and records that wait for one thing.
     *
     * @param waitsFor the thing that they wait for
     * @param streams number of streams
     * @param records number of their records
     */
    public record Parked(Wait waitsFor, long streams, long records) {}

    public TaskStatus {
        parkedFor = List.copyOf(parkedFor);
        quarantined = Snapshot.of(quarantined);
        trash = List.copyOf(trash);
        commands = Snapshot.of(commands);
        // A status is reported each second for each task, so a copy of all namespaces would cost too much.
        namespaces = namespaces instanceof SharingMap ? namespaces : Snapshot.of(namespaces);
    }

    /** Returns this status after a sweep that found nothing, or after none. */
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
                graves,
                trash,
                commands,
                crowd);
    }

    /** Current work of the sweeper, or the thing it waits for. */
    public enum SweepState {
        /** Sweeping is switched off. */
        DISABLED,
        /** The input that was there at the start has not been taken in yet. */
        WAITING_FOR_INPUT,
        /** The policies that were there at the start are not in force yet. */
        WAITING_FOR_POLICIES,
        /** The clock of this instance cannot be trusted. */
        CLOCK_GUARD,
        /** The clock is far ahead of the state, which is being counted or waits for a confirmation (T-14). */
        CLOCK_UNCONFIRMED,
        /** The trash has recently refused a record; streams whose deletes could be undone wait some minutes (T-5). */
        TRASH_CLOSED,
        /** A policy cannot be read yet. */
        POLICY_UNREADABLE,
        /** The instance does not yet see a hold that the task has confirmed elsewhere. */
        WAITING_FOR_HOLDS,
        /** A change of policies is being taken in. */
        TAKING_IN_POLICIES,
        /** Events are being removed. */
        SWEEPING,
        /** Nothing is due. */
        IDLE;

        /** Returns true if events that are due are removed. */
        public boolean isAtWork() {
            return this == SWEEPING || this == IDLE;
        }
    }
}
