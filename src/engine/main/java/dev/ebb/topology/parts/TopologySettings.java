package dev.ebb.topology.parts;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.store.parking.ParkingLimits;
import dev.ebb.store.state.Graves;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What the topology goes by.
 *
 * @param terminalStatuses the statuses of finished work
 * @param builtIn what holds where no policy says anything
 * @param sweepEnabled false: nothing is deleted by this instance
 * @param sweepIntervalMs stands in place of the interval of every policy; empty if they decide
 * @param sweepBatchDeletes the most deletes in one punctuation, at least 1
 * @param sweepSlice the most time in one punctuation, shared by the tasks of a thread
 * @param recordMaxBytes the biggest record that the broker takes
 * @param brakeLimits how much a change of policies may delete at once without being confirmed
 * @param changelogConfig the settings of the changelog topics
 * @param staleThreshold work that is protected for longer is stale (O-6)
 * @param idlePeriod how often a partition with nothing to do looks whether something has fallen due
 * @param parkingLimits how much may wait in a partition until it can be taken in
 * @param graveRetention how long it is remembered that a command has deleted a stream (O-10); 0: not at all
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
        Duration graveRetention) {

    /** Each punctuation, even an idle one, makes the thread commit. */
    public static final Duration IDLE_PERIOD = Duration.ofSeconds(1);

    /** With the usual limits of parking, and graves that stand for as long as usual. */
    public TopologySettings(
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
            Duration idlePeriod) {
        this(
                terminalStatuses,
                builtIn,
                sweepEnabled,
                sweepIntervalMs,
                sweepBatchDeletes,
                sweepSlice,
                recordMaxBytes,
                brakeLimits,
                changelogConfig,
                staleThreshold,
                idlePeriod,
                ParkingLimits.DEFAULT,
                Graves.DEFAULT_RETENTION);
    }

    public TopologySettings {
        changelogConfig = Snapshot.of(changelogConfig);
    }

    /** How big records may be. */
    public RecordLimits limits() {
        return new RecordLimits(recordMaxBytes);
    }
}
