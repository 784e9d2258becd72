package dev.ebb.topology.work;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.serde.text.JsonState;
import dev.ebb.store.EventStore;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.crowd.CrowdLimits;
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
 * @param schedule is notified of every stream that changes
 * @param outbox takes all records that leave the task
 * @param observer is notified of deletes
 * @param guard confines a failure that concerns one stream to that stream
 * @param healing recounts streams
 * @param failures the causes of failures of former tasks of the partition
 * @param view the newest policies in force that all streams of the partition follow
 * @param sweepProblem the reason why sweeps are not allowed, not even by hand; null if they are
 * @param parking the waiting records; supplied when needed, since parking is made later
 * @param copies finds copies of deleted events
 * @param trash reads the records in the trash
 * @param brakeLimits limits on the deletes of an erasure that needs no confirmation
 * @param undoNoticeMs the time for which events that an undo brings back stand under a notice (T-3), in milliseconds
 * @param crowdLimits limits on the unfinished commands that this partition leads
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
        BrakeLimits brakeLimits,
        long undoNoticeMs,
        CrowdLimits crowdLimits,
        int partition,
        int partitions) {

    /** Returns the newest policies that all streams of the partition follow. */
    public Supplier<PolicySet> policies() {
        return () -> view.get().policies();
    }

    public int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, partitions);
    }

    /** Returns true if the stream lives in this partition. */
    public boolean isHere(StreamName stream) {
        return partitionOf(stream) == partition;
    }

    /** Sends an errand to a partition, possibly this one; either way the errand arrives on the topic of commands. */
    public void send(int toPartition, String commandId, Errand.Step step, Object body, long nowMs) {
        Errand errand = new Errand(commandId, step, partition, JsonState.write(body));
        outbox.errand(errand, toPartition, nowMs);
    }
}
