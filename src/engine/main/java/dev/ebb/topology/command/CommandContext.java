package dev.ebb.topology.command;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamHealing;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parking.Parking;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.wire.StreamPartition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What commands work with in one partition. Not thread-safe.
 *
 * @param store the state of the partition
 * @param schedule is told of every stream that changes
 * @param outbox takes what leaves the task
 * @param observer is told of what is deleted
 * @param guard keeps a failure that concerns one stream to that stream
 * @param healing counts streams anew
 * @param failures what made former tasks of the partition fail
 * @param policies the newest policies in force
 * @param sweepProblem why nobody may sweep, not even by hand; null if nothing keeps them from it
 * @param parking the records that wait; asked for when it is needed, since it is made later
 * @param partition the partition
 * @param partitions how many there are
 */
public record CommandContext(
        EventStore store,
        SweepSchedule schedule,
        Outbox outbox,
        RetentionObserver observer,
        StreamGuard guard,
        StreamHealing healing,
        Failures failures,
        Supplier<PolicySet> policies,
        Supplier<@Nullable String> sweepProblem,
        Supplier<Parking> parking,
        int partition,
        int partitions) {

    int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, partitions);
    }

    /** Sends an errand to a partition, maybe this one: either way it arrives with the topic of commands. */
    void send(int toPartition, String commandId, Errand.Step step, Object body, long nowMs) {
        Errand errand = new Errand(commandId, step, partition, JsonState.write(body));
        outbox.errand(errand, toPartition, nowMs);
    }
}
