package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.DecodedCommand;
import dev.ebb.store.EventStore;
import dev.ebb.store.ExecutionChange;
import dev.ebb.store.MoveListener;
import dev.ebb.store.ParkedRecord;
import dev.ebb.store.ParkedRecords;
import dev.ebb.store.StreamState;
import dev.ebb.store.SweepSchedule;
import dev.ebb.topology.TaskStatus.SweepState;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The work of one partition between one start of its task and the next: takes records in, parks those that cannot be
 * taken in yet, follows the policies, and sweeps. Not thread-safe.
 */
final class RetentionTask {

    /** Each record that is parked takes so many out of the queue, so that the queue gets shorter while records come in. */
    private static final int DRAINED_PER_RECORD = 4;

    private static final String NO_POLICIES = "the policies";
    private static final int BACKLOG_LIMIT = 10_000;

    private final TopologySettings settings;
    private final TopologyParts parts;
    private final int partition;
    private final EventStore store;
    private final SweepSchedule schedule;
    private final ParkedRecords parked;
    private final Outbox outbox;
    private final TaskCounters counters;
    private final Ingest ingest;
    private final PolicyFollower follower;
    private final Sweeper sweeper;
    private final WarnSweep warnings;
    private final StaleWatch stale;
    private final CommandDesk desk;
    private final AssessmentDesk assessments;
    private final RetirementTrail retirements;
    private final Turns turns;
    private final String commandsTopic;
    private final PolicyCall call = new PolicyCall();
    private boolean hasSeenPolicies;
    private final Rest rest = new Rest();
    private @Nullable String parkedReason;
    private boolean isQueueStuck;

    RetentionTask(
            Topics topics,
            TopologySettings settings,
            TopologyParts parts,
            CommitSignal signal,
            ProcessorContext<Addressed, byte[]> context) {
        this.settings = settings;
        this.parts = parts;
        this.partition = context.taskId().partition();
        KeyValueStore<Bytes, byte[]> events = context.getStateStore(EventStore.EVENTS);
        KeyValueStore<Bytes, byte[]> usage = context.getStateStore(EventStore.USAGE);
        PolicySet policies = parts.policies().current().policies();
        Runnable remind = signal.raisedBy(context);
        this.store = new EventStore(events, usage, settings.terminalStatuses(), remind);
        store.open(policies);
        signal.listen(context.taskId(), store::saveUsage);
        this.parked = store.parked();
        this.schedule = new SweepSchedule(settings.sweepIntervalMs(), parked::holdsStream);
        this.outbox = new Outbox(context, parts.writer(), parts.mirrorRows());
        this.counters = new TaskCounters(parts.observer());
        this.ingest = new Ingest(topics, settings, parts, store, schedule, outbox, counters, partition);
        this.follower = new PolicyFollower(store, schedule, policies);
        this.sweeper = new Sweeper(store, schedule, outbox, parts.observer(), partition);
        CommandContext commands = new CommandContext(
                store,
                schedule,
                outbox,
                parts.observer(),
                () -> parts.policies().current().policies(),
                this::sweepProblem,
                partition,
                topics.partitions());
        this.desk = new CommandDesk(commands);
        this.warnings = new WarnSweep(store, schedule, outbox, parts.observer(), partition);
        this.stale = new StaleWatch(store, settings.staleThreshold());
        this.assessments = new AssessmentDesk(store, parts.reader(), parts.policies()::current, outbox, partition);
        this.retirements = new RetirementTrail(commands);
        this.turns = new Turns(
                this::moveStreams, this::carryOutCommands, this::assess, retirements::slice, this::sweep, stale::slice);
        this.commandsTopic = topics.commands();
        store.streams().forEach(schedule::touch);
    }

    /** Takes the record in, or parks it if it or an earlier one of its stream must wait. */
    void process(ParkedRecord record, long nowMs) {
        rest.end();
        parts.catchUp().processed(record.topic(), record.partition(), record.offset());
        if (parked.size() > 0) {
            drain(DRAINED_PER_RECORD, nowMs);
        }
        if (!hasPolicies() || isBehindFence()) {
            if (!takeAssessment(record)) {
                park(record, NO_POLICIES);
            }
        } else if (parked.holds(record.key())) {
            park(record, parkedReason);
        } else {
            String waitsFor = take(record, nowMs);
            if (waitsFor != null) {
                park(record, waitsFor);
            }
        }
    }

    /** Takes the record in; returns what it waits for if that is not possible yet, else null. */
    private @Nullable String take(ParkedRecord record, long nowMs) {
        return record.topic().equals(commandsTopic) ? takeCommand(record, nowMs) : ingest.take(record, nowMs);
    }

    private @Nullable String takeCommand(ParkedRecord record, long nowMs) {
        DecodedCommand decoded = parts.reader().readCommand(record.topic(), record.headers(), record.value());
        if (decoded instanceof DecodedCommand.Pending pending) {
            return pending.what();
        }
        if (decoded instanceof DecodedCommand.Good good) {
            desk.take(good.request(), record, nowMs);
        } else if (decoded instanceof DecodedCommand.OfErrand errand) {
            takeErrand(errand.errand(), nowMs);
        } else if (decoded instanceof DecodedCommand.Bad bad
                && !desk.refuse(bad.commandId(), bad.verb(), bad.rejection().detail(), nowMs)) {
            counters.rejected(bad.rejection().reason());
            outbox.reject(record, bad.rejection());
        }
        return null;
    }

    private void takeErrand(Errand errand, long nowMs) {
        switch (errand.step()) {
            case ASSESS -> assessments.take(errand);
            case FOLLOW -> call.take(errand, nowMs);
            default -> desk.take(errand, nowMs);
        }
    }

    /** One slice of what has to be done besides taking records in; not worth its turn while the task {@link #restsOn}. */
    void slice(long nowMs, SweepBudget budget) {
        rest.end();
        store.saveUsage();
        work(nowMs, budget);
        if (!isBusy() && parked.size() == 0 && sweepState() == SweepState.IDLE) {
            rest.begin(parts.policies().current(), nextWorkMs());
        }
    }

    /**
     * Whether nothing can have become due since the task looked last, so that a slice would find nothing; a sweep whose
     * time has come is over then, and its times are told. This is all that an idle task does, so it looks at four numbers
     * and makes nothing (B-5).
     */
    boolean restsOn(long nowMs) {
        boolean isResting = parts.clock().problem() == null
                && rest.lasts(nowMs, parts.policies().current());
        if (isResting) {
            sweeper.passOver(nowMs);
            parts.observer()
                    .taskRested(
                            partition, sweeper.lastPointMs(), sweeper.lastCompletedMs(), schedule.nextSweepMs(nowMs));
        }
        return isResting;
    }

    /** When there is something to do although no record comes and no policy changes. */
    private long nextWorkMs() {
        return Math.min(schedule.nextWorkMs(), Math.min(stale.nextMs(), desk.nextMs()));
    }

    private void work(long nowMs, SweepBudget budget) {
        while (parked.size() > 0 && !budget.isSpent() && drain(1, nowMs)) {
            budget.spendStep();
        }
        PolicyView view = parts.policies().current();
        PolicySet newest = view.policies();
        call.look(view, nowMs);
        if (!follower.follows(newest)) {
            sweeper.stop(nowMs);
            warnings.stop();
            follower.advance(newest, budget);
        }
        if (follower.follows(newest)) {
            confirmHolds(view, nowMs);
            turns.slice(nowMs, budget);
        }
        outbox.commits().look(nowMs);
    }

    private void carryOutCommands(long nowMs, SweepBudget budget) {
        if (mayCommandsAct()) {
            desk.slice(nowMs, budget);
        }
    }

    private void assess(long nowMs, SweepBudget budget) {
        if (parts.catchUp().isCaughtUp(partition)) {
            assessments.slice(nowMs, budget);
        }
    }

    /**
     * Whether this instance does not see a hold yet that the task has confirmed on another one: nothing is deleted or
     * replaced until it does.
     */
    private boolean isBehindFence() {
        return parts.policies().current().policies().version() < store.fence();
    }

    /** Confirms the holds that are in force once every stream goes by them. */
    private void confirmHolds(PolicyView view, long nowMs) {
        if (view.holdVersion() == store.fence() || isBehindFence()) {
            return;
        }
        boolean isNew = view.holdVersion() > store.fence();
        store.saveFence(view.holdVersion());
        if (isNew) {
            outbox.holdsConfirmed(view.holdVersion(), nowMs);
        }
    }

    /** Commands do not ask whether sweeping is switched off, but like sweeps they act on all that was known at the start. */
    private boolean mayCommandsAct() {
        PolicyView view = parts.policies().current();
        return hasPolicies()
                && view.unreadable() == null
                && !isBehindFence()
                && parts.catchUp().isCaughtUp(partition);
    }

    /** Why nobody may sweep here by hand either; null if nothing keeps them from it. */
    private @Nullable String sweepProblem() {
        return settings.sweepEnabled() ? parts.clock().problem() : "sweeping is switched off";
    }

    /** Whether there is more to do at once than to wait for the next interval. */
    boolean isBusy() {
        return !rest.isOn() && hasWork();
    }

    private boolean hasWork() {
        PolicySet newest = parts.policies().current().policies();
        return sweeper.isRunning()
                || warnings.isRunning()
                || store.hasRetired()
                || assessments.isBusy()
                || (desk.isBusy() && mayCommandsAct())
                || !follower.follows(newest)
                || call.isOpen()
                || outbox.commits().isWanted()
                || store.movingStreams() > 0
                || (parked.size() > 0 && !isQueueStuck);
    }

    /** How the task stands. */
    TaskStatus status(long nowMs) {
        return new TaskStatus(
                partition,
                sweepState(),
                sweeper.lastPointMs(),
                sweeper.lastCompletedMs(),
                schedule.nextSweepMs(nowMs),
                follower.policies().version(),
                schedule.backlog(nowMs, BACKLOG_LIMIT),
                store.movingStreams(),
                parked.size(),
                parked.size() == 0 ? null : parkedReason,
                counters.snapshot(),
                sweeper.removed(),
                store.namespaceTotals(),
                sweeper.lastReport(),
                stale.status());
    }

    private void sweep(long nowMs, SweepBudget budget) {
        SweepState state = sweepState();
        if (state != SweepState.IDLE && state != SweepState.SWEEPING) {
            sweeper.stop(nowMs);
            warnings.stop();
            return;
        }
        if (!budget.isSpent()) {
            sweeper.slice(follower.policies(), nowMs, budget);
        }
        if (!budget.isSpent() && !sweeper.isRunning()) {
            warnings.slice(follower.policies(), nowMs, budget);
        }
    }

    private void moveStreams(long nowMs, SweepBudget budget) {
        if (store.movingStreams() == 0) {
            return;
        }
        List<StreamState> moving = store.moving();
        for (StreamState stream : moving) {
            if (budget.isSpent()) {
                return;
            }
            if (store.move(stream, nowMs, budget, mirrorOfMoves(nowMs))) {
                schedule.touch(stream);
            }
        }
    }

    /** What another set of terminal statuses makes of events and executions is seen in SQL as well (I-4). */
    private MoveListener mirrorOfMoves(long nowMs) {
        return new MoveListener() {
            @Override
            public void reclassified(StoredEvent event) {
                outbox.mirror(outbox.row(event), nowMs);
            }

            @Override
            public void reclassified(ExecutionChange change) {
                outbox.mirrorExecution(change.stream().stream(), change, nowMs);
            }
        };
    }

    /** What keeps the sweeper from its work, or what it does. */
    private SweepState sweepState() {
        PolicyView view = parts.policies().current();
        if (!settings.sweepEnabled()) {
            return SweepState.DISABLED;
        }
        if (!hasPolicies()) {
            return SweepState.WAITING_FOR_POLICIES;
        }
        if (view.unreadable() != null) {
            return SweepState.POLICY_UNREADABLE;
        }
        if (isBehindFence()) {
            return SweepState.WAITING_FOR_HOLDS;
        }
        if (parts.clock().problem() != null) {
            return SweepState.CLOCK_GUARD;
        }
        if (!parts.catchUp().isCaughtUp(partition)) {
            return SweepState.WAITING_FOR_INPUT;
        }
        if (!follower.follows(view.policies())) {
            return SweepState.TAKING_IN_POLICIES;
        }
        return sweeper.isRunning() ? SweepState.SWEEPING : SweepState.IDLE;
    }

    /**
     * Whether the policies that were there at the start are in force. Until then nothing is taken in: whether an update
     * still finds its event depends on them (M-17).
     */
    private boolean hasPolicies() {
        if (!hasSeenPolicies) {
            PolicyView view = parts.policies().current();
            long target = parts.catchUp().policiesTarget();
            hasSeenPolicies = target != CatchUp.UNKNOWN && view.sourceOffset() >= target && isDecided(view, target);
        }
        return hasSeenPolicies;
    }

    /** What the brake still asks about is not in force, and may be in a moment. */
    private static boolean isDecided(PolicyView view, long target) {
        return view.waiting().stream()
                .allMatch(waiting -> waiting.finding() != null || waiting.sourceOffset() > target);
    }

    /**
     * Takes a question of the brake, which cannot wait for policies that come into force when it is answered;
     * returns false if it is something else.
     */
    private boolean takeAssessment(ParkedRecord record) {
        if (record.topic().equals(commandsTopic)
                && !parked.holds(record.key())
                && parts.reader().readCommand(record.topic(), record.headers(), record.value())
                        instanceof DecodedCommand.OfErrand errand
                && errand.errand().step() == Errand.Step.ASSESS) {
            assessments.take(errand.errand());
            return true;
        }
        return false;
    }

    private void park(ParkedRecord record, @Nullable String reason) {
        parkedReason = reason;
        parked.park(record);
        StreamState stream = store.streamOfKey(record.key());
        if (stream != null) {
            schedule.touch(stream);
        }
    }

    /** Takes up to that many records out of the queue; returns whether it got that far. */
    private boolean drain(int records, long nowMs) {
        for (int i = 0; i < records && parked.size() > 0; i++) {
            ParkedRecord first = parked.first();
            String waitsFor = first == null || !hasPolicies() || isBehindFence() ? NO_POLICIES : take(first, nowMs);
            isQueueStuck = waitsFor != null;
            if (first == null || isQueueStuck) {
                parkedReason = waitsFor;
                return false;
            }
            parked.removeFirst();
            StreamState stream = store.streamOfKey(first.key());
            if (stream != null) {
                schedule.touch(stream);
            }
        }
        return true;
    }
}
