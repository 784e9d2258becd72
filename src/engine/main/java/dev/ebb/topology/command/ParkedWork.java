package dev.ebb.topology.command;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.Errand;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.parking.ParkedStream;
import dev.ebb.topology.parking.DroppedBy;
import dev.ebb.topology.parking.Parking;
import dev.ebb.topology.parking.WaitGroups;
import dev.ebb.topology.wire.ErrandBodies.Swept;
import dev.ebb.topology.work.Work;
import dev.ebb.topology.work.WorkParts;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Work that drops waiting records of one partition, or asks again for the things that they wait for. A dropped record
 * goes to the rejected topic, unchanged, with the actor and the reason. Not thread-safe.
 */
final class ParkedWork extends Work {

    static final Kind<State> KIND = new Kind<>("parked", State.class, ParkedWork::new);

    private final Command.OfParked command;
    private final int askedBy;
    private long streams;
    private long dropped;
    private @Nullable Deque<ParkedStream> meant;

    ParkedWork(WorkParts parts, State state) {
        super(KIND.name(), parts, state.request());
        this.command = (Command.OfParked) request.command();
        this.askedBy = state.askedBy();
        this.streams = state.streams();
        this.dropped = state.dropped();
    }

    /**
     * Progress of the work as it is saved.
     *
     * @param askedBy the partition that leads the command
     * @param streams number of streams that are done
     * @param dropped number of records that were dropped
     */
    record State(CommandRequest request, int askedBy, long streams, long dropped) {

        static State of(CommandRequest request, int askedBy) {
            return new State(request, askedBy, 0, 0);
        }
    }

    @Override
    public Progress step(long nowMs, SweepBudget budget) {
        Deque<ParkedStream> left = meant();
        while (!left.isEmpty()) {
            if (budget.isSpent()) {
                return Progress.MORE;
            }
            if (!goOn(left.element(), nowMs)) {
                left.remove();
                streams++;
            }
            budget.spendStep();
        }
        Swept answer = Swept.without(outcome(), null, "");
        send(askedBy, Errand.Step.SWEPT, answer, nowMs);
        return Progress.DONE;
    }

    private Outcome outcome() {
        return command instanceof Command.DropParked
                ? new Outcome.Dropped(streams, dropped)
                : new Outcome.Retried(streams);
    }

    /** Takes one step for one stream; returns false if nothing more is to be done for it. */
    private boolean goOn(ParkedStream stream, long nowMs) {
        if (command instanceof Command.DropParked drop) {
            return request.isDryRun() ? count(stream, drop) : dropSome(stream, drop, nowMs);
        }
        if (!request.isDryRun() && stream.records() > 0) {
            parking().groups().retry(stream);
        }
        return false;
    }

    /** Counts the records that would be dropped; of a stream, only the first record is known to wait for a schema. */
    private boolean count(ParkedStream stream, Command.DropParked drop) {
        if (isMeant(stream, drop)) {
            dropped += drop.schema() == null && drop.record() == null ? stream.records() : 1;
        }
        return false;
    }

    /** Drops records. One that waits for the schema may be followed by one that does not, and then by one that does. */
    private boolean dropSome(ParkedStream stream, Command.DropParked drop, long nowMs) {
        if (isMeant(stream, drop)) {
            parking().dropFirst(stream, rejection(), nowMs);
            dropped++;
            return drop.record() == null && stream.records() > 0;
        }
        return drop.schema() != null && drop.record() == null && mayWaitAgain(stream, drop, nowMs);
    }

    private boolean mayWaitAgain(ParkedStream stream, Command.DropParked drop, long nowMs) {
        return parking().takeFirst(stream, nowMs) || isMeant(stream, drop);
    }

    private boolean isMeant(ParkedStream stream, Command.DropParked drop) {
        WaitGroups groups = parking().groups();
        return groups.isMeant(stream, drop)
                && (drop.record() == null || drop.record().equals(groups.coordinatesOfFirst(stream)));
    }

    private Rejection rejection() {
        return new Rejection(RejectReason.DROPPED, DroppedBy.detail(request.actor(), request.reason()));
    }

    private Deque<ParkedStream> meant() {
        Deque<ParkedStream> known = meant;
        if (known == null) {
            known = new ArrayDeque<>(parking().groups().meantBy(command));
            meant = known;
        }
        return known;
    }

    private Parking parking() {
        return context.parking().get();
    }

    @Override
    public void fail(String problem, long nowMs) {
        Swept answer = Swept.without(outcome(), Refusal.FAILED, problem);
        send(askedBy, Errand.Step.SWEPT, answer, nowMs);
    }

    @Override
    public Object state() {
        return new State(request, askedBy, streams, dropped);
    }
}
