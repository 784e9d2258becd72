package dev.ebb.port;

import dev.ebb.domain.event.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How one instance is, as {@code GET /v1/status} shows it. Times that have not come yet are null.
 *
 * @param applicationId the application that the instance belongs to
 * @param instance what tells it from others of the same application
 * @param version the version of Ebb
 * @param state the state of Kafka Streams, for example RUNNING
 * @param startedAt when the process started
 * @param sweepEnabled false if sweeping is switched off for this instance
 * @param partitions the partitions that this instance has, by number
 * @param restoring the stores that are being rebuilt; empty when all are ready
 * @param policies the policies in force
 * @param namespaces what is stored, by namespace
 * @param counts what was done since the start
 * @param input what waits to be taken in
 * @param clock how the clock of the instance is
 * @param mirror the way to SQL; null if the instance has none
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
        ClockView clock,
        @Nullable MirrorView mirror) {

    /**
     * One partition.
     *
     * @param state what its sweeper does, for example "waiting for policies", "sweeping" or "idle"
     * @param lastSweepPoint the time against which the last sweep decided: its start
     * @param lastSweepCompleted when it ended
     * @param lastDeletePoint the time against which the last sweep that deleted something decided
     * @param dueStreams streams with something due or over a cap
     * @param movingStreams streams on their way into another arrangement, since their anchor changed
     * @param parkedRecords records that wait to be taken in
     * @param parkedFor what most of them wait for
     * @param staleEvents events that have been protected for too long
     * @param staleStreams the streams with the most of them, and how many they have
     * @param quarantinedStreams streams on which work failed; nothing is deleted from them until {@code ebb stream repair}
     * @param quarantined at most 20 of them, with the reasons
     * @param graves deleted streams of which records that were produced before come too late
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
            long graves) {}

    /**
     * How much waits for the same.
     *
     * @param waitsFor what it waits for, for example "schema 7"
     * @param kind why that is not there, for example "registry away"
     * @param problem the same in more words; empty if there is nothing to add
     * @param streams how many streams
     * @param records how many records of theirs
     */
    public record ParkedView(String waitsFor, String kind, String problem, long streams, long records) {

        /** How much waits for that. */
        public static ParkedView of(Wait wait, long streams, long records) {
            return new ParkedView(wait.what(), kindOf(wait), wait.problem(), streams, records);
        }

        static String kindOf(Wait wait) {
            return wait.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    /**
     * One store that is being rebuilt.
     *
     * @param done records that are restored
     * @param total records that there are to restore
     * @param perSecond records that were restored in a second, from the beginning of its restoration until now
     */
    public record RestoreView(String store, int partition, long done, long total, long perSecond) {}

    /**
     * The policies in force.
     *
     * @param version the newest version that contributed, -1 if only the built-in ones are in force
     * @param records how many records are in force
     * @param unreadable why sweeping stopped, if a policy cannot be read
     * @param waiting what the brake holds back, in the order of arrival
     * @param brake how much a change may delete at once without being confirmed
     */
    public record PoliciesView(
            long version, int records, @Nullable String unreadable, List<WaitingPolicyView> waiting, BrakeView brake) {}

    /**
     * The limits of the brake (O-8).
     *
     * @param sharePercent the share of the stored events of its scope; 100 if nothing is held back
     * @param minimumEvents so many events are always allowed
     */
    public record BrakeView(int sharePercent, long minimumEvents) {}

    /** What the streams of a namespace hold. */
    public record NamespaceView(
            long streams, long events, long bytes, long protectedEvents, long infiniteEvents, long timedEvents) {

        public static final NamespaceView NOTHING = new NamespaceView(0, 0, 0, 0, 0, 0);
    }

    /**
     * What was done since the start.
     *
     * @param ingested events taken in, repeats included
     * @param updated updates that changed an event
     * @param orphaned updates for events that were not there
     * @param late records that were produced before a command deleted their stream; they changed nothing
     * @param rejected records set aside
     * @param rekeyed records sent on to the partition of their stream
     * @param removed what retention removed, by cause
     */
    public record CountsView(
            long ingested,
            long updated,
            long orphaned,
            long late,
            long rejected,
            long rekeyed,
            Map<String, RemovedView> removed) {}

    /** Events and bytes that went for one cause. */
    public record RemovedView(long events, long bytes) {}

    /**
     * What waits to be taken in.
     *
     * @param lag records on the input topics that are not taken in and committed; null if not known
     */
    public record InputView(@Nullable Long lag) {}

    /**
     * How the clock of the instance is.
     *
     * @param aheadMs how far it is ahead of the broker's at least, negative if behind; null if not known
     * @param problem why sweeping is stopped; null if the clock can be trusted
     */
    public record ClockView(
            @Nullable Long aheadMs, @Nullable String problem) {}

    /**
     * The way to SQL.
     *
     * @param state the state of the connector and its task, for example RUNNING
     * @param lag mirror records that the sink has not taken; null if not known
     * @param detail what went wrong last; null if nothing
     * @param restarts how often the watcher restarted a failed task
     */
    public record MirrorView(
            String state, @Nullable Long lag, @Nullable String detail, long restarts) {}
}
