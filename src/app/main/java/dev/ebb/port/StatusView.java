package dev.ebb.port;

import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.change.BrakeLimits;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Status of one instance, as {@code GET /v1/status} shows it. Times that have not come yet are null.
 *
 * @param applicationId the application that the instance belongs to
 * @param instance an id that sets the instance apart from others of the application
 * @param version the version of Ebb
 * @param state the state of Kafka Streams, for example RUNNING
 * @param startedAt time at which the process started
 * @param sweepEnabled false if sweeping is switched off for this instance
 * @param partitions the partitions that this instance has, by number
 * @param restoring the stores that are being rebuilt; empty when all are ready
 * @param policies the policies in force
 * @param namespaces contents of the streams, by namespace
 * @param counts counts since the start
 * @param input input that waits to be taken in
 * @param trash deleted events that can be brought back
 * @param clock state of the clock of the instance
 * @param mirror the way to SQL; null if the instance has none
 * @param problems what is wrong with the process and its machine: threads that failed lately, a full heap, a full disk;
 *     empty if nothing is
 */
public record StatusView(
        String applicationId,
        String instance,
        String version,
        String state,
        Instant startedAt,
        boolean sweepEnabled,
        List<PartitionView> partitions,
        List<RestoreView> restoring,
        PoliciesView policies,
        Map<String, NamespaceView> namespaces,
        CountsView counts,
        InputView input,
        TrashView trash,
        ClockView clock,
        @Nullable MirrorView mirror,
        List<String> problems) {

    /**
     * One partition.
     *
     * @param state the activity of its sweeper, for example "waiting for policies", "sweeping" or "idle"
     * @param lastSweepPoint the sweep point of the last sweep, which is the time of its start
     * @param lastSweepCompleted time at which the last sweep ended
     * @param lastDeletePoint the sweep point of the last sweep that deleted something
     * @param dueStreams streams with something due or over a cap
     * @param movingStreams streams that are being rearranged, since the anchor or a TTL bound of their policy changed
     * @param parkedRecords records that wait to be taken in
     * @param parkedFor the thing for which most of these records wait
     * @param staleEvents events that have been protected for too long
     * @param staleStreams the streams with the most such events, and the number of each
     * @param quarantinedStreams streams on which work failed; nothing is deleted from them until {@code ebb stream
     *     repair} is run
     * @param quarantined at most 20 of these streams, with the reasons
     * @param graves deleted streams for which records that were produced before the delete come too late
     * @param commands commands that are not done
     */
    public record PartitionView(
            int partition,
            String state,
            @Nullable Instant lastSweepPoint,
            @Nullable Instant lastSweepCompleted,
            @Nullable Instant lastDeletePoint,
            @Nullable Instant nextSweep,
            long policyVersion,
            long streams,
            long dueStreams,
            long movingStreams,
            long parkedRecords,
            List<ParkedView> parkedFor,
            long staleEvents,
            Map<String, Long> staleStreams,
            long quarantinedStreams,
            Map<String, String> quarantined,
            long graves,
            CommandsView commands) {}

    /**
     * Commands that a partition leads and that are not done.
     *
     * @param bulk number of commands over many streams
     * @param single number of commands on a single stream
     */
    public record CommandsView(long bulk, long single) {

        public static final CommandsView NOTHING = new CommandsView(0, 0);

        public CommandsView plus(CommandsView other) {
            return new CommandsView(bulk + other.bulk, single + other.single);
        }
    }

    /**
     * Streams and records that wait for the same thing.
     *
     * @param waitsFor the thing for which they wait, for example "schema 7"
     * @param kind reason why the thing is not there, for example "registry away"
     * @param problem the reason in more words; empty if there is nothing to add
     * @param streams number of streams
     * @param records number of their waiting records
     */
    public record ParkedView(String waitsFor, String kind, String problem, long streams, long records) {

        /** Returns the view of that number of streams and records with that wait. */
        public static ParkedView of(Wait wait, long streams, long records) {
            return new ParkedView(wait.what(), kindOf(wait), wait.problem(), streams, records);
        }

        /** Returns the kind and its problem in a line. */
        public String why() {
            return why(kind, problem);
        }

        static String why(String kind, String problem) {
            return kind + (problem.isEmpty() ? "" : ": " + problem);
        }

        static String kindOf(Wait wait) {
            return wait.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * One store that is being rebuilt.
     *
     * @param done number of restored records
     * @param total number of all records to restore
     * @param perSecond records restored per second, on average since the beginning of the restoration
     */
    public record RestoreView(String store, int partition, long done, long total, long perSecond) {}

    /**
     * The policies in force.
     *
     * @param version the newest version that contributed; -1 if only the built-in policies are in force
     * @param records number of records in force
     * @param unreadable reason why sweeping stopped, if a policy cannot be read
     * @param waiting changes that the brake holds back, in the order of arrival
     * @param brake limits of deletes that a change may cause at once without a confirmation
     * @param settingsNotInForce the settings of this instance that are not in force, each with the value in force; empty
     *     if all are
     */
    public record PoliciesView(
            long version,
            int records,
            @Nullable String unreadable,
            List<WaitingPolicyView> waiting,
            BrakeView brake,
            List<String> settingsNotInForce) {}

    /**
     * The limits of the brake (O-8).
     *
     * @param sharePercent the share of the stored events of a scope; 100 if nothing is held back
     * @param minimumEvents number of events that are always allowed
     * @param horizonMs time for which the brake looks ahead, in milliseconds
     */
    public record BrakeView(int sharePercent, long minimumEvents, long horizonMs) {

        /** Returns the limits. */
        public BrakeLimits limits() {
            return new BrakeLimits(sharePercent, minimumEvents, horizonMs);
        }
    }

    /** Contents of the streams of a namespace. */
    public record NamespaceView(
            long streams, long events, long bytes, long protectedEvents, long infiniteEvents, long timedEvents) {

        public static final NamespaceView NOTHING = new NamespaceView(0, 0, 0, 0, 0, 0);

        public NamespaceView plus(NamespaceView other) {
            return new NamespaceView(
                    streams + other.streams,
                    events + other.events,
                    bytes + other.bytes,
                    protectedEvents + other.protectedEvents,
                    infiniteEvents + other.infiniteEvents,
                    timedEvents + other.timedEvents);
        }
    }

    /**
     * Counts since the start.
     *
     * @param ingested events taken in, repeats included
     * @param updated updates that changed an event
     * @param orphaned updates for events that were not there
     * @param late records that were produced before a command deleted their stream; they changed nothing
     * @param rejected records set aside
     * @param rekeyed records sent on to the partition of their stream
     * @param removed events and bytes that retention removed, by cause
     */
    public record CountsView(
            long ingested,
            long updated,
            long orphaned,
            long late,
            long rejected,
            long rekeyed,
            Map<String, RemovedView> removed) {

        public static final CountsView NOTHING = new CountsView(0, 0, 0, 0, 0, 0, Map.of());

        public CountsView plus(CountsView other) {
            Map<String, RemovedView> sums = new TreeMap<>(removed);
            other.removed.forEach((cause, more) -> sums.merge(cause, more, RemovedView::plus));
            return new CountsView(
                    ingested + other.ingested,
                    updated + other.updated,
                    orphaned + other.orphaned,
                    late + other.late,
                    rejected + other.rejected,
                    rekeyed + other.rekeyed,
                    sums);
        }
    }

    /** Events and bytes that retention removed for one cause. */
    public record RemovedView(long events, long bytes) {

        RemovedView plus(RemovedView other) {
            return new RemovedView(events + other.events, bytes + other.bytes);
        }
    }

    /**
     * Input that waits to be taken in.
     *
     * @param lag records on the input topics that are not yet taken in and committed; null if not known
     */
    public record InputView(@Nullable Long lag) {}

    /**
     * Deleted events that can be brought back.
     *
     * @param firstUntil time at which the first of these events can no longer be brought back; null if there are none
     * @param until time from which none of these events can be brought back; null if there are none
     * @param missing number of these events and executions that are not on the topic of the trash any more
     */
    public record TrashView(
            long events,
            long bytes,
            @Nullable Instant firstUntil,
            @Nullable Instant until,
            long missing) {

        public static final TrashView NOTHING = new TrashView(0, 0, null, null, 0);

        public TrashView plus(TrashView other) {
            return new TrashView(
                    events + other.events,
                    bytes + other.bytes,
                    first(firstUntil, other.firstUntil),
                    last(until, other.until),
                    missing + other.missing);
        }

        private static @Nullable Instant first(@Nullable Instant one, @Nullable Instant other) {
            return one == null || (other != null && other.isBefore(one)) ? other : one;
        }

        private static @Nullable Instant last(@Nullable Instant one, @Nullable Instant other) {
            return one == null || (other != null && other.isAfter(one)) ? other : one;
        }
    }

    /**
     * State of the clock of the instance.
     *
     * @param aheadMs the least time by which the clock is ahead of the broker's clock, in milliseconds, negative if
     *     behind; null if not known
     * @param problem reason why sweeping is stopped; null if the clock can be trusted
     */
    public record ClockView(
            @Nullable Long aheadMs, @Nullable String problem) {}

    /**
     * The way to SQL.
     *
     * @param state the state of the connector and its task, for example RUNNING, or STARTING in its first minute
     * @param lag number of mirror records that the sink has not taken; null if not known
     * @param detail the last fault; null if there was none
     * @param refused number of rows that the database refuses, and of partitions with rows that lack a field
     * @param refusal the reason of one of these rows; null if there are none
     * @param restarts number of times that the watcher restarted a failed task
     */
    public record MirrorView(
            String state,
            @Nullable Long lag,
            @Nullable String detail,
            long refused,
            @Nullable String refusal,
            long restarts) {}
}
