package dev.ebb.topology;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.store.EventStore;
import dev.ebb.store.arrival.ExecutionChange;
import dev.ebb.store.arrival.MoveListener;
import dev.ebb.store.layout.InputRecord;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.parking.ParkedRecords;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.assess.AssessmentDesk;
import dev.ebb.topology.command.CommandContext;
import dev.ebb.topology.command.CommandDesk;
import dev.ebb.topology.command.RetirementTrail;
import dev.ebb.topology.fault.FailedRecords;
import dev.ebb.topology.fault.Failures;
import dev.ebb.topology.fault.IdleRecount;
import dev.ebb.topology.fault.RecordGuard;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamHealing;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.observe.TaskStatus.SweepState;
import dev.ebb.topology.parking.Parking;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyCall;
import dev.ebb.topology.policy.PolicyFollower;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.sweep.StaleWatch;
import dev.ebb.topology.sweep.Sweeper;
import dev.ebb.topology.sweep.WarnSweep;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.ErrandBodies.Assess;
import dev.ebb.topology.wire.ErrandBodies.Follow;
import dev.ebb.topology.wire.ErrandDoor;
import dev.ebb.topology.wire.ErrandDoor.Opened;
import dev.ebb.topology.wire.Topics;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The work of one partition between one start of its task and the next: takes records in, parks those that cannot be
 * taken in yet, follows the policies, and sweeps. Not thread-safe.
 */
final class RetentionTask {

    private static final int BACKLOG_LIMIT = 10_000;

    private final TopologySettings settings;
    private final TopologyParts parts;
    private final int partition;
    private final EventStore store;
    private final SweepSchedule schedule;
    private final ParkedRecords parked;
    private final Parking parking;
    private final Outbox outbox;
    private final RecordGuard guard;
    private final ErrandDoor door;
    private final Ingest ingest;
    private final PolicyFollower follower;
    private final StreamGuard streams;
    private final Sweeper sweeper;
    private final StreamHealing healing;
    private final WarnSweep warnings;
    private final StaleWatch stale;
    private final IdleRecount recount;
    private final CommandDesk desk;
    private final AssessmentDesk assessments;
    private final RetirementTrail retirements;
    private final Turns parkedAndOther;
    private final Turns turns;
    private final String commandsTopic;
    private final PolicyCall call = new PolicyCall();
    private boolean hasSeenPolicies;
    private boolean hasFormer;
    private long movesEnded;
    private boolean hasEndedGraves;
    private final Rest rest = new Rest();

    RetentionTask(
            Topics topics,
            TopologySettings settings,
            TopologyParts parts,
            CommitSignal signal,
            Failures failures,
            FailedRecords failed,
            ProcessorContext<Addressed, byte[]> context) {
        this.settings = settings;
        this.parts = parts;
        this.partition = context.taskId().partition();
        KeyValueStore<Bytes, byte[]> events = context.getStateStore(StoreNames.EVENTS);
        KeyValueStore<Bytes, byte[]> usage = context.getStateStore(StoreNames.USAGE);
        PolicySet policies = parts.policies().current().policies();
        Runnable remind = signal.raisedBy(context);
        this.store = new EventStore(events, usage, settings.terminalStatuses(), settings.graveRetention(), remind);
        store.open(policies);
        signal.listen(context.taskId(), store::saveUsage);
        this.parked = store.parked();
        this.schedule = new SweepSchedule(settings.sweepIntervalMs(), this::mustWait);
        this.outbox = new Outbox(context, parts.writer(), parts.mirrorRows(), settings.limits());
        this.guard = new RecordGuard(failed, parts.observer(), this::reject);
        this.door = new ErrandDoor(partition, topics.partitions(), parts.reader());
        this.follower = new PolicyFollower(store, schedule, policies);
        this.ingest = new Ingest(
                topics, settings, parts, store, schedule, outbox, this::noticedPolicies, guard::writing, partition);
        this.streams = new StreamGuard(store, schedule, parts.observer(), failures, partition);
        this.sweeper = new Sweeper(store, schedule, streams, outbox, parts.observer(), partition);
        this.healing = new StreamHealing(store, schedule, streams, outbox, parts.observer(), partition);
        CommandContext commands = new CommandContext(
                store,
                schedule,
                outbox,
                parts.observer(),
                streams,
                healing,
                failures,
                () -> parts.policies().current().policies(),
                this::sweepProblem,
                this::parking,
                partition,
                topics.partitions());
        this.desk = new CommandDesk(commands);
        this.warnings = new WarnSweep(store, schedule, streams, outbox, parts.observer(), partition);
        this.stale = new StaleWatch(store, settings.staleThreshold());
        this.recount = new IdleRecount(store, parts.observer(), partition, context.currentSystemTimeMs());
        this.assessments =
                new AssessmentDesk(store, streams, parts.reader(), parts.policies()::current, outbox, partition);
        this.retirements = new RetirementTrail(commands);
        this.parkedAndOther = new Turns(this::takeUpParked, this::goOn);
        this.turns = new Turns(
                healing::slice,
                this::moveStreams,
                this::carryOutCommands,
                this::assess,
                retirements::slice,
                this::forgetGraves,
                this::sweep,
                stale::slice);
        this.commandsTopic = topics.commands();
        this.parking = new Parking(parked, settings.parkingLimits(), parts.reader(), new ParkingTask());
        this.hasFormer = parked.hasFormer();
        store.streams().forEach(schedule::touch);
        streams.begin(context.currentSystemTimeMs());
    }

    /** Returns true if nothing may be deleted from the stream for now, whatever its policy says. */
    private boolean mustWait(StreamState stream) {
        return parked.holdsStream(stream) || stream.isSuspect() || stream.quarantine() != null;
    }

    /** Takes the record in, or parks it if it or an earlier one of its stream must wait. */
    void process(InputRecord record, long nowMs) {
        begin(record);
        if (mayTakeIn() || !takeAssessment(record)) {
            parking.process(record, nowMs);
        }
    }

    private void begin(InputRecord record) {
        rest.end();
        CatchUp input = parts.catchUp();
        store.takeIn(record.topic(), input.topicId(record.topic()), record.offset(), input.mayRepeat());
        input.processed(record.topic(), record.partition(), record.offset());
    }

    /** Sets a record aside that cannot even be kept until it can be taken in. */
    void setAside(InputRecord record, Rejection rejection) {
        begin(record);
        reject(record, rejection);
    }

    private void reject(InputRecord record, Rejection rejection) {
        parts.observer().rejected(rejection.reason());
        outbox.reject(record, rejection);
    }

    private Parking parking() {
        return parking;
    }

    /** Returns true if records may be taken in; until then they wait for the policies. */
    private boolean mayTakeIn() {
        return hasPolicies() && !isBehindFence();
    }

    /** Takes the record in; returns the reason to wait if that is not possible yet, else null. */
    private @Nullable Wait take(InputRecord record, long nowMs) {
        return guard.take(
                record,
                () -> record.topic().equals(commandsTopic) ? takeCommand(record, nowMs) : ingest.take(record, nowMs));
    }

    private @Nullable Wait takeCommand(InputRecord record, long nowMs) {
        DecodedCommand decoded = parts.reader().readCommand(record.topic(), record.headers(), record.value());
        if (decoded instanceof DecodedCommand.Pending pending) {
            return pending.waitsFor();
        }
        if (decoded instanceof DecodedCommand.Good good) {
            guard.writing();
            String id = good.request().commandId();
            Rejection rejection = CommandDesk.canAnswer(id)
                    ? desk.take(good.request(), record, nowMs)
                    : new Rejection(RejectReason.BAD_COMMAND, "no command may have the id " + id);
            if (rejection != null) {
                reject(record, rejection);
            }
        } else if (decoded instanceof DecodedCommand.OfErrand errand) {
            takeErrand(record, errand.errand(), nowMs);
        } else if (decoded instanceof DecodedCommand.Bad bad) {
            guard.writing();
            if (CommandDesk.canAnswer(bad.commandId())) {
                desk.refuse(bad.commandId(), bad.verb(), bad.rejection().detail(), nowMs);
            } else {
                reject(record, bad.rejection());
            }
        }
        return null;
    }

    private void takeErrand(InputRecord record, Errand errand, long nowMs) {
        Opened opened = door.open(errand);
        guard.writing();
        if (opened.rejection() != null) {
            reject(record, opened.rejection());
            return;
        }
        switch (errand.step()) {
            case ASSESS -> assessments.take(errand, opened.body(Assess.class));
            case FOLLOW -> call.take(opened.body(Follow.class), nowMs);
            default -> desk.take(errand, opened, nowMs);
        }
    }

    /** Does one slice of the work besides taking records in; not worth its turn while the task {@link #restsOn}. */
    void slice(long nowMs, SweepBudget budget) {
        rest.end();
        store.saveUsage();
        work(nowMs, budget);
        if (!isBusy() && parked.size() == 0 && sweepState() == SweepState.IDLE) {
            rest.begin(parts.policies().current(), nowMs, nextWorkMs());
        }
    }

    /**
     * Returns true if nothing can have become due since the task looked last, so that a slice would find nothing; a
     * sweep whose time has come is over then, and its times are told. This is all that an idle task does, so it looks
     * at four numbers and makes nothing (B-5).
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

    /** Time at which there is something to do although no record comes and no policy changes. */
    private long nextWorkMs() {
        long ownMs = Math.min(desk.nextMs(), store.graves().nextMs());
        return Math.min(Math.min(schedule.nextWorkMs(), recount.nextMs()), Math.min(stale.nextMs(), ownMs));
    }

    /** Waiting records may need the work behind them to be done, so they must not use up one slice after the other. */
    private void work(long nowMs, SweepBudget budget) {
        parkedAndOther.slice(nowMs, budget);
        lookAgainBehindMoves();
        outbox.commits().look(nowMs);
    }

    private PolicySet noticedPolicies() {
        PolicySet newest = parts.policies().current().policies();
        follower.notice(newest);
        return newest;
    }

    private void takeUpParked(long nowMs, SweepBudget budget) {
        parking.slice(nowMs, budget);
        lookAgainBehindFormer();
    }

    private void goOn(long nowMs, SweepBudget budget) {
        PolicyView view = parts.policies().current();
        PolicySet newest = view.policies();
        call.look(view, nowMs);
        if (!follower.follows(newest)) {
            sweeper.stop(nowMs);
            warnings.stop();
            follower.advance(newest, budget);
            parking.streamsGoOn();
        }
        if (follower.follows(newest)) {
            confirmHolds(view, nowMs);
            turns.slice(nowMs, budget);
        }
        if (!hasWork()) {
            recount.slice(nowMs, budget);
        }
    }

    /** Looks again at all streams: any might have had a record among those that format 1 parked, so all had to wait. */
    private void lookAgainBehindFormer() {
        if (hasFormer && !parked.hasFormer()) {
            hasFormer = false;
            store.streams().forEach(schedule::touch);
        }
    }

    private void carryOutCommands(long nowMs, SweepBudget budget) {
        if (mayCommandsAct()) {
            desk.slice(nowMs, budget);
        }
    }

    /** Counts all stored events for the brake, whatever waits: nothing is taken in before the brake has its answer. */
    private void assess(long nowMs, SweepBudget budget) {
        if (parts.catchUp().isCaughtUp(partition) || !hasPolicies()) {
            assessments.slice(nowMs, budget);
        }
    }

    /**
     * Returns true if this instance does not see a hold yet that the task has confirmed on another one: nothing is
     * deleted or replaced until it does.
     */
    private boolean isBehindFence() {
        return parts.policies().current().readOffset() < store.fence();
    }

    /** Confirms the holds that are in force once every stream goes by them. */
    private void confirmHolds(PolicyView view, long nowMs) {
        if (view.holdOffset() == store.fence() || isBehindFence()) {
            return;
        }
        boolean isNew = view.holdOffset() > store.fence();
        store.saveFence(view.holdOffset());
        if (isNew) {
            outbox.holdsConfirmed(view.holdOffset(), nowMs);
        }
    }

    /**
     * Returns true if commands may act, even if sweeping is off; like sweeps, they act on all that was known at the
     * start.
     */
    private boolean mayCommandsAct() {
        PolicyView view = parts.policies().current();
        return hasPolicies()
                && view.unreadable() == null
                && !isBehindFence()
                && parts.catchUp().isCaughtUp(partition);
    }

    /** Reason why this partition may not be swept by hand either; null if there is none. */
    private @Nullable String sweepProblem() {
        return settings.sweepEnabled() ? parts.clock().problem() : "sweeping is switched off";
    }

    /** Returns true if there is more to do at once than to wait for the next interval. */
    boolean isBusy() {
        return !rest.isOn() && hasWork();
    }

    private boolean hasWork() {
        PolicySet newest = parts.policies().current().policies();
        return sweeper.isRunning()
                || warnings.isRunning()
                || store.hasRetired()
                || hasEndedGraves
                || assessments.isBusy()
                || (desk.isBusy() && mayCommandsAct())
                || !follower.follows(newest)
                || call.isOpen()
                || outbox.commits().isWanted()
                || store.hasSuspects()
                || store.movingStreams() > 0
                || parking.isBusy();
    }

    /** Current status of the task. */
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
                parking.biggest(TaskStatus.MOST_PARKED),
                store.namespaceTotals(),
                sweeper.lastReport(),
                stale.status(),
                quarantined(),
                store.quarantined().size(),
                store.graves().count());
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

    private void forgetGraves(long nowMs, SweepBudget budget) {
        hasEndedGraves = !store.graves().forget(nowMs, budget);
    }

    private void moveStreams(long nowMs, SweepBudget budget) {
        if (store.movingStreams() == 0) {
            return;
        }
        List<StreamState> moving = store.moving();
        for (StreamState stream : moving) {
            if (budget.isSpent()) {
                break;
            }
            if (streams.run(stream, nowMs, () -> store.move(stream, nowMs, budget, mirrorOfMoves(nowMs)))) {
                schedule.touch(stream);
            }
        }
    }

    /** Tries records that waited for a move, however it ended: a quarantined or deleted stream moves no further. */
    private void lookAgainBehindMoves() {
        if (movesEnded != store.movesEnded()) {
            movesEnded = store.movesEnded();
            parking.streamsGoOn();
        }
    }

    /** Shows in SQL as well how another set of terminal statuses changes events and executions (I-4). */
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

    /** Obstacle that keeps the sweeper from its work, or else its current work. */
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
     * Returns true if the policies that were there at the start are in force. Nothing is taken in before that: whether
     * an update still finds its event depends on the policies (M-17).
     */
    private boolean hasPolicies() {
        if (!hasSeenPolicies) {
            PolicyView view = parts.policies().current();
            long target = parts.catchUp().policiesTarget();
            hasSeenPolicies = target != CatchUp.UNKNOWN && view.reflectedOffset() >= target && isDecided(view, target);
        }
        return hasSeenPolicies;
    }

    /** Returns true if the brake has decided on all changes up to that target; others may be in force in a moment. */
    private static boolean isDecided(PolicyView view, long target) {
        return view.waiting().stream().allMatch(waiting -> waiting.finding() != null || waiting.version() > target);
    }

    /**
     * Takes a question of the brake, which cannot wait for policies that come into force when it is answered;
     * returns false if it is something else.
     */
    private boolean takeAssessment(InputRecord record) {
        if (record.topic().equals(commandsTopic)
                && parked.find(record.key()) == null
                && parts.reader().readCommand(record.topic(), record.headers(), record.value())
                        instanceof DecodedCommand.OfErrand errand
                && errand.errand().step() == Errand.Step.ASSESS) {
            take(record, 0);
            return true;
        }
        return false;
    }

    /** View of this task for parking. */
    private final class ParkingTask implements Parking.Task {

        @Override
        public boolean mayTakeIn() {
            return RetentionTask.this.mayTakeIn();
        }

        @Override
        public @Nullable Wait take(InputRecord record, long nowMs) {
            return RetentionTask.this.take(record, nowMs);
        }

        @Override
        public boolean isBounded(InputRecord record) {
            return !record.topic().equals(commandsTopic);
        }

        @Override
        public void reject(InputRecord record, Rejection rejection) {
            parts.observer().rejected(rejection.reason());
            outbox.reject(record, rejection);
        }

        @Override
        public void drop(InputRecord record, Rejection rejection, long nowMs) {
            reject(record, rejection);
            if (record.topic().equals(commandsTopic)
                    && parts.reader().readCommand(record.topic(), record.headers(), record.value())
                            instanceof DecodedCommand.Good good
                    && CommandDesk.canAnswer(good.request().commandId())) {
                desk.drop(good.request(), rejection.detail(), nowMs);
            }
        }

        @Override
        public void lost(String which) {
            parts.observer().parkedLost(partition, which);
        }

        @Override
        public void changed(byte @Nullable [] key) {
            StreamState stream = store.streamOfKey(key);
            if (stream != null) {
                schedule.touch(stream);
            }
        }
    }
}
