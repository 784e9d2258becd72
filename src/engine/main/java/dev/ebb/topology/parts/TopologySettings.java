package dev.ebb.topology.parts;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.crowd.CrowdLimits;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Settings of the topology.
 *
 * @param terminalStatuses the statuses of finished work
 * @param builtIn the policies that apply where no other sets a field
 * @param sweepEnabled false if this instance deletes nothing
 * @param sweepIntervalMs replaces the interval of every policy; empty if the policies decide
 * @param sweepBatchDeletes the largest number of deletes in one punctuation, at least 1
 * @param sweepSlice the longest time of one punctuation, shared by the tasks of a thread
 * @param recordMaxBytes the size of the largest record that the broker accepts
 * @param brakeLimits limits on the deletes of a change of policies that needs no confirmation
 * @param changelogConfig the settings of the changelog topics
 * @param staleThreshold time after which protected work is stale (O-6)
 * @param idlePeriod period in which a partition with nothing to do checks whether something has fallen due
 * @param parkingLimits limits on the records that wait in a partition until they can be taken in
 * @param undoMax the longest time for which a delete can be undone, whatever the policies say; 0 if none can be
 * @param undoNotice time for which events that an undo brings back stand under a notice (T-3)
 * @param graveRetention time for which the deletion of a stream by a command is remembered (O-10); 0 if it is not
 * @param crowdLimits limits on the unfinished commands that a partition leads
 * @param clockMaxGap the longest time by which the clock may be ahead of the state at a start (T-14)
 * @param streamCacheBytes heap memory of the instance for the streams used last, in bytes
 */
public record TopologySettings(
        TerminalStatuses terminalStatuses,
        BuiltInPolicies builtIn,
        boolean sweepEnabled,
        OptionalLong sweepIntervalMs,
        int sweepBatchDeletes,
        Duration sweepSlice,
        int recordMaxBytes,
        BrakeLimits brakeLimits,
        Map<String, String> changelogConfig,
        Duration staleThreshold,
        Duration idlePeriod,
        ParkingLimits parkingLimits,
        Duration undoMax,
        Duration undoNotice,
        Duration graveRetention,
        CrowdLimits crowdLimits,
        Limit clockMaxGap,
        long streamCacheBytes) {

    /** Longest time by which the clock may be ahead of the state at a start, unless the application sets another. */
    public static final Limit CLOCK_MAX_GAP = Limit.of(Duration.ofDays(7).toMillis());

    /** Period of idle punctuations; each makes the thread commit, even if there is nothing to do. */
    public static final Duration IDLE_PERIOD = Duration.ofSeconds(1);

    public TopologySettings {
        changelogConfig = Snapshot.of(changelogConfig);
    }

    /** The usual time for which events that an undo brings back stand under a notice. */
    public static final Duration UNDO_NOTICE = Duration.ofHours(1);

    /** Returns the configured settings that decide deletes; others may be in force (T-13). */
    public RetentionSettings configured() {
        RetentionSettings ofBuiltIn = builtIn.settings();
        return new RetentionSettings(ofBuiltIn.maxAge(), ofBuiltIn.mode(), terminalStatuses);
    }

    /** Returns the limits on the size of records. */
    public RecordLimits limits() {
        return new RecordLimits(recordMaxBytes);
    }
}
