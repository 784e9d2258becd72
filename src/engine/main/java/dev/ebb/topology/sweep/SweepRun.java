package dev.ebb.topology.sweep;

import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.domain.retention.SweepPoint;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.domain.retention.SweepReport.Trigger;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepGroup;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.removal.Removals;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Running sweep: the values fixed at its start, the streams that it goes to, and the work done so far. It goes around:
 * each stream has one slice, and those for which that was too short have their next one when all others have had
 * theirs (O-2). Only streams that wait for the sweep when it begins belong to it. Not thread-safe.
 */
final class SweepRun {

    /** Number of streams that are taken out of the schedule for one step of the budget. */
    private static final int BATCH = 256;

    private final String sweepId;
    private final int partition;
    private final SweepPoint point;
    private final List<SweepGroup> groups;
    private final Removals removals;

    /** Streams that have their slice in this round, in that order. */
    private final Deque<SweepTurn> round = new ArrayDeque<>();

    /** Streams that have had it, and are not done. */
    private final Deque<SweepTurn> again = new ArrayDeque<>();

    private final Map<RemovalCause, Tally> deleted = new EnumMap<>(RemovalCause.class);

    /** The stream whose turn it is; null before the first turn. */
    private @Nullable SweepTurn running;

    /** Number of streams that have lost something, and of the events that were protected in each of them then. */
    private long streams;

    private long protectedEvents;
    private int gathered;
    private boolean isGathered;
    private boolean hasTurnedBack;
    private int takenOut;
    private long removed;
    private boolean isCutOff;

    SweepRun(String sweepId, int partition, SweepPoint point, List<SweepGroup> groups, Removals removals) {
        this.sweepId = sweepId;
        this.partition = partition;
        this.point = point;
        this.groups = groups;
        this.removals = removals;
    }

    SweepPoint point() {
        return point;
    }

    List<SweepGroup> groups() {
        return groups;
    }

    Removals removals() {
        return removals;
    }

    /**
     * Continues with the streams that a former sweep has left: those that it did not come to in its last round are the
     * first, and those that have had their slice are the last.
     */
    void goOnFrom(SweepRun former) {
        former.round.forEach(turn -> round.add(new SweepTurn(turn.stream())));
        former.again.forEach(turn -> again.add(new SweepTurn(turn.stream())));
    }

    /** Takes out the streams that wait for the sweep; returns false if the budget ended that. */
    boolean gather(SweepSchedule schedule, SweepBudget budget) {
        if (isGathered) {
            return true;
        }
        for (; gathered < groups.size(); gathered++) {
            SweepGroup group = groups.get(gathered);
            for (StreamState stream = schedule.takeDue(group, point.nowMs());
                    stream != null;
                    stream = schedule.takeDue(group, point.nowMs())) {
                round.add(new SweepTurn(stream));
                if (++takenOut % BATCH == 0) {
                    budget.spendStep();
                    if (budget.isSpent()) {
                        return false;
                    }
                }
            }
            for (StreamState stream : group.takeOverCap(point.nowMs())) {
                if (schedule.take(stream)) {
                    round.add(new SweepTurn(stream));
                }
            }
        }
        isGathered = true;
        // Those that are not in memory have their turn before those that had one in a former sweep: events that keep
        // coming due for streams in memory would else keep them waiting.
        if (schedule.isAnyToWake(point.nowMs()) || schedule.turnBack(point.nowMs())) {
            takeAwake(schedule);
        }
        beginRound();
        return true;
    }

    /**
     * Returns true if streams that are not in memory may still belong to the sweep. When all wake-ups have been read, those
     * of streams that have left memory meanwhile are read once more: a sweep ends however little room there is.
     */
    boolean isAnyToWake(SweepSchedule schedule) {
        if (schedule.isAnyToWake(point.nowMs())) {
            return true;
        }
        boolean isFirst = !hasTurnedBack;
        hasTurnedBack = true;
        return isFirst && schedule.turnBack(point.nowMs());
    }

    /** Takes out streams that are not in memory, for which there is room, and begins another round with them. */
    void wake(SweepSchedule schedule) {
        takeAwake(schedule);
        beginRound();
    }

    private void takeAwake(SweepSchedule schedule) {
        for (StreamState stream : schedule.takeAwake(groups, point.nowMs())) {
            round.add(new SweepTurn(stream));
        }
    }

    /** Returns true if no stream is left. */
    boolean isDone() {
        return round.isEmpty() && again.isEmpty();
    }

    /** Returns true if each stream that is left has had its slice in this round. */
    boolean isRoundOver() {
        return isGathered && round.isEmpty();
    }

    private void beginRound() {
        round.addAll(again);
        again.clear();
    }

    /** Returns the next stream, which begins another round if this one is over. */
    SweepTurn next() {
        if (round.isEmpty()) {
            beginRound();
        }
        SweepTurn turn = round.remove();
        running = turn;
        return turn;
    }

    /** Puts a stream whose slice was too short behind all others. */
    void comeAgain(SweepTurn turn) {
        again.add(turn);
    }

    /** Notes that the window of a stream has closed before its turn came. */
    void cutOff() {
        isCutOff = true;
    }

    boolean isCutOff() {
        return isCutOff;
    }

    /** Returns the streams that are not done. */
    Stream<StreamState> left() {
        return Stream.concat(round.stream(), again.stream()).map(SweepTurn::stream);
    }

    /** Returns the number of events and executions that have gone. */
    long removed() {
        return removed;
    }

    void countExecution() {
        removed++;
    }

    void count(StreamState stream, RemovalCause cause, long bytes) {
        removed++;
        deleted.merge(cause, new Tally(1, bytes), Tally::plus);
        if (running == null || running.loses()) {
            streams++;
            protectedEvents += stream.protectedEvents();
        }
    }

    boolean hasFound() {
        return !deleted.isEmpty();
    }

    SweepReport report(long nowMs, long heldEvents, boolean isStoppedEarly) {
        return new SweepReport(
                sweepId,
                partition,
                Trigger.SCHEDULE,
                point,
                point.nowMs(),
                nowMs,
                streams,
                deleted,
                protectedEvents,
                heldEvents,
                PolicyMode.ENFORCE,
                isStoppedEarly);
    }
}
