package dev.ebb.topology;

import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.wire.Topics;

/**
 * Parts that the tasks of all partitions of an instance share; all of them are thread-safe.
 *
 * @param signal announces to a task that a commit is about to come
 * @param failures the causes of failures of former tasks
 * @param failed the records that have made transactions fail
 * @param room shares the memory for streams among the tasks
 */
record SharedParts(
        Topics topics,
        TopologySettings settings,
        TopologyParts parts,
        CommitSignal signal,
        Failures failures,
        FailedRecords failed,
        StreamRoom room) {}
