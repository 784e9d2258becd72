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
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.parking.Parking;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.trash.TrashSource;
import dev.ebb.topology.wire.StreamPartition;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Parts that commands work with in one partition. Not thread-safe.
 *
 * @param store the state of the partition
 * @param schedule hears of every stream that changes
 * @param outbox takes all records that leave the task
 * @param observer hears of deletes
 * @param guard keeps a failure that concerns one stream to that stream
 * @param healing counts streams anew
 * @param failures the causes of failures of former tasks of the partition
 * @param view the newest policies in force, as this instance sees them
 * @param sweepProblem reason why sweeps are not allowed, not even by hand; null if they are
 * @param parking the records that wait; asked for when needed, since parking is made later
 * @param copies finds copies of events that have gone
 * @param trash reads what waits in the trash
 * @param partition the partition
 * @param partitions number of partitions
 */
public record CommandContext(
        EventStore store,
        SweepSchedule schedule,
        Outbox outbox,
        RetentionObserver observer,
        StreamGuard guard,
        StreamHealing healing,
        Failures failures,
        Supplier<PolicyView> view,
        Supplier<@Nullable String> sweepProblem,
        Supplier<Parking> parking,
        Copies copies,
        TrashSource trash,
        int partition,
        int partitions) {

    /** The newest policies in force. */
    public Supplier<PolicySet> policies() {
        return () -> view.get().policies();
    }

    int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, partitions);
    }

    /** Sends an errand to a partition, maybe this one: either way it arrives with the topic of commands. */
    void send(int toPartition, String commandId, Errand.Step step, Object body, long nowMs) {
        Errand errand = new Errand(commandId, step, partition, JsonState.write(body));
        outbox.errand(errand, toPartition, nowMs);
    }
}
