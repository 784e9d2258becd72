package dev.ebb.topology.parts;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Settings of the topology.
 *
 * @param terminalStatuses the statuses of finished work
 * @param builtIn the policies that hold where no other says anything
 * @param sweepEnabled false: nothing is deleted by this instance
 * @param sweepIntervalMs replaces the interval of every policy; empty if the policies decide
 * @param sweepBatchDeletes the most deletes in one punctuation, at least 1
 * @param sweepSlice the most time in one punctuation, shared by the tasks of a thread
 * @param recordMaxBytes the biggest record that the broker takes
 * @param brakeLimits limits on the deletes of a change of policies that needs no confirmation
 * @param changelogConfig the settings of the changelog topics
 * @param staleThreshold work that is protected for longer is stale (O-6)
 * @param idlePeriod period in which a partition with nothing to do looks whether something has fallen due
 * @param parkingLimits limits on the records that wait in a partition until they can be taken in
 * @param undoMax the longest time for which a delete can be undone, whatever the policies say; 0: not at all
 * @param graveRetention time for which the deletion of a stream by a command is remembered (O-10); 0: not at all
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
        Duration graveRetention) {

    /** Period of idle punctuations; each, even an idle one, makes the thread commit. */
    public static final Duration IDLE_PERIOD = Duration.ofSeconds(1);

    public TopologySettings {
        changelogConfig = Snapshot.of(changelogConfig);
    }

    /** Limits on the size of records. */
    public RecordLimits limits() {
        return new RecordLimits(recordMaxBytes);
    }
}
