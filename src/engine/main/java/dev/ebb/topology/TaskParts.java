package dev.ebb.topology;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.undo.UndoTerms;
import dev.ebb.store.EventStore;
import dev.ebb.store.UsageView;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.assess.AssessmentDesk;
import dev.ebb.topology.command.CommandInbox;
import dev.ebb.topology.fault.IdleRecount;
import dev.ebb.topology.fault.StreamGuard;
import dev.ebb.topology.fault.StreamHealing;
import dev.ebb.topology.parts.PartitionParts;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.FollowedPolicies;
import dev.ebb.topology.policy.PolicyFollower;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.receipt.AuditTree;
import dev.ebb.topology.removal.Outbox;
import dev.ebb.topology.source.SourceLedger;
import dev.ebb.topology.sweep.StaleWatch;
import dev.ebb.topology.sweep.Sweeper;
import dev.ebb.topology.sweep.WarnSweep;
import dev.ebb.topology.trash.ProofBook;
import dev.ebb.topology.trash.SetTtls;
import dev.ebb.topology.trash.TrashAudit;
import dev.ebb.topology.trash.TrashBook;
import dev.ebb.topology.trash.TrashWait;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.work.CommandContext;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.internals.InternalProcessorContext;
import org.apache.kafka.streams.processor.internals.ProcessorNode;
import org.apache.kafka.streams.state.KeyValueStore;

/** Parts of a task, made from the contents of the stores at its start. */
final class TaskParts {

    final PartitionParts here;

    /** Gives the room for streams in memory to the other tasks. */
    final Runnable room;

    final TrashWait trashWait;
    final Readiness readiness;
    final PolicyFollower follower;
    final FollowedPolicies followed;
    final StreamMoves moves;
    final Sweeper sweeper;
    final WarnSweep warnings;
    final StaleWatch stale;
    final StreamHealing healing;
    final IdleRecount recount;
    final TrashAudit audit;
    final AssessmentDesk assessments;
    final CommandInbox inbox;
    final RetirementTrail retirements;
    final Intake intake;
    final SettingsReport settingsReport;
    final ClockGap clockGap;
    final SourceLedger ledger;

    TaskParts(SharedParts shared, ProcessorContext<Addressed, byte[]> context) {
        TopologyParts parts = shared.parts();
        PolicyView view = parts.policies().current();
        PolicySet policies = view.policies();
        String task = context.taskId().toString();
        room = () -> shared.room().leave(task);
        EventStore store = open(shared, policies, shared.room().enter(task), context);
        UndoTerms terms = new UndoTerms(
                () -> parts.policies().current().policies(),
                shared.settings().undoMax().toMillis(),
                new ProofBook(store.pending(), store::savePending, () -> parts.policies()
                        .current()
                        .policies()));
        trashWait = new TrashWait(terms, new SetTtls(store), shared.failed()::isTrashClosed, () -> parts.clock()
                .trusted(context.currentSystemTimeMs()));
        here = partitionParts(shared, store, terms, trashWait, context);
        clockGap = new ClockGap(
                here,
                parts.policies(),
                shared.settings(),
                shared.topics().partitions(),
                parts.clock().trusted(context.currentSystemTimeMs()));
        readiness = new Readiness(shared, here, clockGap);
        follower = new PolicyFollower(store, here.schedule(), policies);
        followed = new FollowedPolicies(view);
        moves = new StreamMoves(here, follower::policies);
        sweeper = new Sweeper(here);
        warnings = new WarnSweep(here);
        stale = new StaleWatch(store, shared.settings().staleThreshold());
        healing = new StreamHealing(
                store, here.schedule(), here.guard(), here.outbox(), here.observer(), here.partition());
        recount = new IdleRecount(store, here.observer(), here.partition(), context.currentSystemTimeMs());
        audit = new TrashAudit(
                here.outbox().trash().book(),
                parts.trash(),
                here.partition(),
                problem -> here.observer().trashUnread(here.partition(), problem),
                context.currentSystemTimeMs());
        assessments = new AssessmentDesk(here, parts.reader(), parts.policies()::current);
        CommandContext commands = commands(shared);
        inbox = new CommandInbox(commands);
        retirements = new RetirementTrail(commands);
        ledger = new SourceLedger(
                store, parts.sources(), () -> parts.policies().current().policies(), () -> parts.clock()
                        .trusted(context.currentSystemTimeMs()));
        intake = new Intake(shared, this);
        settingsReport = new SettingsReport(shared.settings().configured(), here.outbox(), here.partition());
    }

    private static EventStore open(
            SharedParts shared,
            PolicySet policies,
            LongSupplier cacheBytes,
            ProcessorContext<Addressed, byte[]> context) {
        TopologySettings settings = shared.settings();
        KeyValueStore<Bytes, byte[]> events = context.getStateStore(StoreNames.EVENTS);
        Runnable remind = shared.signal().raisedBy(context);
        var store = new EventStore(
                events,
                UsageView.of(events),
                policies.settings().statuses(),
                settings.graveRetention(),
                cacheBytes,
                remind);
        store.open(policies);
        return store;
    }

    private static PartitionParts partitionParts(
            SharedParts shared,
            EventStore store,
            UndoTerms terms,
            TrashWait trashWait,
            ProcessorContext<Addressed, byte[]> context) {
        TopologySettings settings = shared.settings();
        TopologyParts parts = shared.parts();
        Runnable remind = shared.signal().raisedBy(context);
        var schedule = new SweepSchedule(settings.sweepIntervalMs(), stream -> mustWait(store, trashWait, stream));
        store.enterInto(schedule);
        int partition = context.taskId().partition();
        var tree = new AuditTree(TreeName.of(partition), context.applicationId(), store.auditTree(), parts.signer());
        var book = new TrashBook(store.pending(), store::savePending, remind);
        parts.trash().opened(partition, book.marks()::guardOfSeals);
        Outbox outbox = new Outbox(
                context,
                parts.writer(),
                parts.mirrorRows(),
                settings.limits(),
                tree,
                parts.sources().targets(),
                terms,
                book);
        Runnable send = CommitScope.of(context, outbox::flush);
        shared.signal().listen(context.taskId(), () -> {
            store.saveUsage();
            send.run();
        });
        StreamGuard guard = new StreamGuard(store, schedule, parts.observer(), shared.failures(), partition);
        return new PartitionParts(store, schedule, outbox, guard, parts.observer(), partition);
    }

    /** Returns true if nothing may be deleted from the stream for now, whatever its policy says. */
    private static boolean mustWait(EventStore store, TrashWait trashWait, StreamState stream) {
        return store.parked().holdsStream(stream.stream())
                || stream.isSuspect()
                || stream.quarantine() != null
                || trashWait.holds(stream);
    }

    private CommandContext commands(SharedParts shared) {
        return new CommandContext(
                here.store(),
                here.schedule(),
                here.outbox(),
                here.observer(),
                here.guard(),
                healing,
                shared.failures(),
                followed,
                readiness::sweepProblem,
                () -> intake.parking(),
                shared.parts().copies(),
                shared.parts().trash(),
                shared.settings().brakeLimits(),
                shared.settings().undoNotice().toMillis(),
                shared.settings().crowdLimits(),
                here.partition(),
                shared.topics().partitions());
    }

    /**
     * Scope in which a processor can send records while its caches are written for a commit. Kafka Streams lets its own
     * caches do so by making the node that owns the cache the current one; without a current node it refuses to
     * forward.
     * Stateless.
     */
    private static final class CommitScope {

        private CommitScope() {}

        /**
         * Returns an action that runs the given one with the node that is current now as the current node.
         *
         * @param context the context of the node
         */
        static Runnable of(ProcessorContext<?, ?> context, Runnable action) {
            if (!(context instanceof InternalProcessorContext<?, ?> inside)) {
                return action;
            }
            ProcessorNode<?, ?, ?, ?> node = inside.currentNode();
            return () -> {
                ProcessorNode<?, ?, ?, ?> running = inside.currentNode();
                inside.setCurrentNode(node);
                try {
                    action.run();
                } finally {
                    inside.setCurrentNode(running);
                }
            };
        }
    }
}
