package dev.ebb.topology.parts;

import dev.ebb.store.EventStore;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.removal.Outbox;

/**
 * Parts that all work on one partition needs. Not thread-safe.
 *
 * @param store the state of the partition
 * @param schedule is notified of every stream that changes
 * @param outbox takes all records that leave the task
 * @param guard confines a failure that concerns one stream to that stream
 * @param observer is notified of the work
 * @param partition the partition
 */
public record PartitionParts(
        EventStore store,
        SweepSchedule schedule,
        Outbox outbox,
        StreamGuard guard,
        RetentionObserver observer,
        int partition) {}
