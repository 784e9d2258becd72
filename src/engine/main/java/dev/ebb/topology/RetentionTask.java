package dev.ebb.topology;

import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.observe.RetentionObserver.LateRecord;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parking.Parking;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.sweep.Sweeper;
import dev.ebb.topology.trash.TrashBook;
import dev.ebb.topology.wire.Addressed;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * The work of one partition between one start of its task and the next: takes records in, and in between gives each
 * kind of work its turn. Not thread-safe.
 */
final class RetentionTask {

    private static final int BACKLOG_LIMIT = 10_000;

    private final TopologyParts shared;
    private final TaskParts own;
    private final EventStore store;
    private final SweepSchedule schedule;
    private final Parking parking;
    private final Turns parkedAndOther;
    private final Turns turns;
    private final Rest rest = new Rest();
    private boolean hasEndedGraves;
    private boolean isShorteningLog;
    private boolean isAnyToWake;

    RetentionTask(SharedParts parts, ProcessorContext<Addressed, byte[]> context) {
        this.shared = parts.parts();
        this.own = new TaskParts(parts, context);
        this.store = own.here.store();
        this.schedule = own.here.schedule();
        this.parking = own.intake.parking();
        this.parkedAndOther = new Turns(this::takeUpParked, this::goOn);
        this.turns = new Turns(
                own.healing::slice,
                own.moves::slice,
                this::carryOutCommands,
                this::assess,
                this::emptyRetired,
                this::forgetGraves,
                this::countGap,
                this::sweep,
                this::warn,
                this::shortenLog,
                own.stale::slice);
        own.here.guard().begin(context.currentSystemTimeMs());
        shared.observer().auditKnown(own.here.partition(), own.here.outbox().closedAuditRecords());
    }

    /** Takes the record in, or parks it if the record or an earlier one of its stream must wait. */
    void process(InputRecord record, long nowMs) {
        rest.end();
        own.intake.process(record, nowMs);
    }

    /** Sets aside a record that cannot even be parked. */
    void setAside(InputRecord record, Rejection rejection) {
        rest.end();
        own.intake.setAside(record, rejection);
    }

    /** Does one slice of all work other than taking records in; unnecessary while {@link #restsOn} returns true. */
    void slice(long nowMs, SweepBudget budget) {
        rest.end();
        store.saveUsage();
        work(nowMs, budget);
        // Commands wait for the targets of sources, and nothing would wake the task when they are known.
        boolean areTargetsKnown = shared.sources().targets().areKnown();
        if (!isBusy() && store.parked().size() == 0 && sweepState() == SweepState.IDLE && areTargetsKnown) {
            rest.begin(view(), nowMs, nextWorkMs());
        }
    }

    /**
     * Returns true if nothing can have become due since the task last looked, so that a slice would find nothing. A
     * sweep whose time has come is then over, and its times are reported. An idle task does nothing else, so this
     * method looks at four numbers and allocates nothing (B-5).
     */
    boolean restsOn(long nowMs) {
        boolean isResting = shared.clock().problem() == null && rest.lasts(nowMs, view()) && !store.isLogLong();
        if (isResting) {
            Sweeper sweeper = own.sweeper;
            sweeper.passOver(nowMs);
            long nextMs = schedule.nextSweepMs(nowMs);
            shared.observer()
                    .taskRested(own.here.partition(), sweeper.lastPointMs(), sweeper.lastCompletedMs(), nextMs);
        }
        return isResting;
    }

    /** Returns true if a sweep runs, or another follows at once. */
    boolean isSweeping() {
        return own.sweeper.isRunning() || own.sweeper.isBehind();
    }

    /** Returns the {@code now} of the last sweep; -1 if there was none. */
    long lastSweepPointMs() {
        return own.sweeper.lastPointMs();
    }

    /** Returns the time at which there is something to do although no record comes and no policy changes. */
    private long nextWorkMs() {
        long ownMs = Math.min(
                Math.min(own.here.outbox().nextCheckpointMs(), trash().nextMs()),
                Math.min(own.inbox.nextMs(), store.graves().nextMs()));
        ownMs = Math.min(ownMs, own.clockGap.nextMs());
        ownMs = Math.min(ownMs, own.settingsReport.nextMs(view().policies().settings()));
        long idleMs = Math.min(own.recount.nextMs(), own.audit.nextMs());
        return Math.min(Math.min(schedule.nextWorkMs(), idleMs), Math.min(own.stale.nextMs(), ownMs));
    }

    /**
     * Does the work in turns: waiting records may need other work to be done first, so they must not use up one slice
     * after the other.
     */
    private void work(long nowMs, SweepBudget budget) {
        if (isClockTrusted()) {
            own.clockGap.look(nowMs);
        }
        parkedAndOther.slice(nowMs, budget);
        if (own.moves.haveEnded()) {
            // The move may have ended in any way: a stream that is quarantined or deleted moves no further.
            parking.groups().streamsGoOn();
        }
        long before = own.here.outbox().closedAuditRecords();
        if (own.here.outbox().checkpoint(nowMs)) {
            shared.observer().checkpointed();
            shared.observer().auditKnown(own.here.partition(), before);
        }
        forget(nowMs, budget);
        own.here.outbox().commits().look(nowMs);
    }

    private boolean isClockTrusted() {
        return shared.clock().problem() == null;
    }

    private boolean mayForget() {
        return isClockTrusted() && !own.clockGap.isOpen();
    }

    /** Forgets what is over, unless the time itself is in doubt. */
    private void forget(long nowMs, SweepBudget budget) {
        if (mayForget()) {
            trash().forget(nowMs);
            own.trashWait.forget(trash(), nowMs);
            own.inbox.forget(nowMs, budget);
        }
    }

    private TrashBook trash() {
        return own.here.outbox().trash().book();
    }

    private void takeUpParked(long nowMs, SweepBudget budget) {
        parking.slice(nowMs, budget);
    }

    private void goOn(long nowMs, SweepBudget budget) {
        PolicyView view = view();
        PolicySet newest = view.policies();
        own.intake.call().look(view, nowMs);
        own.settingsReport.look(newest.settings(), nowMs);
        if (!own.follower.follows(newest)) {
            stopSweeps(nowMs);
            own.follower.advance(newest, budget);
            parking.groups().streamsGoOn();
        }
        if (own.follower.follows(newest)) {
            own.followed.follow(view);
            store.followed(newest);
            own.readiness.confirmHolds(view, nowMs);
            turns.slice(nowMs, budget);
        }
        if (!hasWork()) {
            own.recount.slice(nowMs, budget);
            own.audit.slice(nowMs);
        }
    }

    /**
     * Policies may have come since the slice began, and only with these commands may act: those that all streams follow
     * may lack a hold which this partition has confirmed elsewhere. Parked records that can be taken in come first:
     * among them may be earlier commands (O-9).
     */
    private void carryOutCommands(long nowMs, SweepBudget budget) {
        if (!parking.isBusy() && own.readiness.mayCommandsAct() && own.follower.follows(view().policies())) {
            own.inbox.slice(nowMs, budget);
        }
    }

    private void assess(long nowMs, SweepBudget budget) {
        if (own.readiness.mayAssess()) {
            own.assessments.slice(nowMs, budget);
        }
    }

    private void emptyRetired(long nowMs, SweepBudget budget) {
        if (own.readiness.mayFillTrash()) {
            own.retirements.slice(nowMs, budget);
        }
    }

    private void forgetGraves(long nowMs, SweepBudget budget) {
        hasEndedGraves = mayForget() && !store.graves().forget(nowMs, budget);
        store.ends().takeDropped().forEach(stream -> shared.observer().late(stream, LateRecord.EXECUTION));
    }

    private void countGap(long nowMs, SweepBudget budget) {
        if (own.readiness.mayAssess() && store.movingStreams() == 0) {
            own.clockGap.slice(own.follower.policies(), nowMs, budget);
        }
    }

    private void sweep(long nowMs, SweepBudget budget) {
        if (!maySweep()) {
            stopSweeps(nowMs);
            return;
        }
        own.trashWait.released().forEach(schedule::touch);
        isAnyToWake = own.sweeper.wake(nowMs, budget);
        if (!budget.isSpent()) {
            own.sweeper.slice(own.follower.policies(), nowMs, budget);
        }
    }

    /** A turn of its own: sweeps that follow one another without a pause must not keep reports from streams. */
    private void warn(long nowMs, SweepBudget budget) {
        if (maySweep() && !budget.isSpent()) {
            own.warnings.slice(own.follower.policies(), nowMs, budget);
        }
    }

    private void shortenLog(long nowMs, SweepBudget budget) {
        isShorteningLog = store.shortenLog(budget);
    }

    private boolean maySweep() {
        SweepState state = sweepState();
        return state == SweepState.IDLE || state == SweepState.SWEEPING || state == SweepState.TRASH_CLOSED;
    }

    private void stopSweeps(long nowMs) {
        isAnyToWake = false;
        own.sweeper.stop(nowMs);
        own.warnings.stop();
    }

    private PolicyView view() {
        return shared.policies().current();
    }

    /** Returns the obstacle that keeps the sweeper from its work, or else its current work. */
    private SweepState sweepState() {
        SweepState obstacle = own.readiness.obstacle();
        if (obstacle != null) {
            return obstacle;
        }
        if (!own.follower.follows(view().policies())) {
            return SweepState.TAKING_IN_POLICIES;
        }
        if (own.trashWait.isAny()) {
            return SweepState.TRASH_CLOSED;
        }
        return own.sweeper.isRunning() ? SweepState.SWEEPING : SweepState.IDLE;
    }

    /** Returns true if there is work to do at once, without waiting for the next interval. */
    boolean isBusy() {
        return !rest.isOn() && hasWork();
    }

    /** Returns true if a command can be continued at once. */
    boolean hasCommands() {
        return own.inbox.isBusy() && own.readiness.mayCommandsAct();
    }

    private boolean hasWork() {
        return isSweeping()
                || isAnyToWake
                || own.warnings.isRunning()
                || (store.hasRetired() && own.readiness.mayFillTrash())
                || hasEndedGraves
                || (own.clockGap.isCounting() && own.readiness.mayAssess() && store.movingStreams() == 0)
                || own.assessments.isBusy()
                || hasCommands()
                || !own.follower.follows(view().policies())
                || own.intake.call().isOpen()
                || own.here.outbox().commits().isWanted()
                || store.hasSuspects()
                || store.movingStreams() > 0
                || isShorteningLog
                || parking.isBusy();
    }

    /** Ends all that the task runs on other threads. */
    void close() {
        own.room.run();
        own.inbox.close();
        own.audit.close();
    }

    /** Returns the current status of the task. */
    TaskStatus status(long nowMs) {
        return new TaskStatus(
                own.here.partition(),
                sweepState(),
                own.sweeper.lastPointMs(),
                own.sweeper.lastCompletedMs(),
                schedule.nextSweepMs(nowMs),
                own.follower.policies().version(),
                schedule.backlog(nowMs, BACKLOG_LIMIT),
                store.movingStreams(),
                store.parked().size(),
                parking.groups().biggest(TaskStatus.MOST_PARKED),
                store.namespaceTotals(),
                own.sweeper.lastReport(),
                own.stale.status(),
                quarantined(),
                store.quarantined().size(),
                store.graves().count(),
                trash().sums(),
                own.inbox.running(),
                own.inbox.crowd());
    }

    private Map<String, String> quarantined() {
        Map<String, String> shown = new HashMap<>();
        for (StreamState stream : store.quarantined()) {
            Quarantine quarantine = stream.quarantine();
            if (quarantine != null && shown.size() < TaskStatus.SHOWN_QUARANTINED) {
                shown.put(stream.stream().value(), quarantine.reason());
            }
        }
        return shown;
    }
}
