package dev.ebb.simulation;

import dev.ebb.domain.erase.EraseRest;
import dev.ebb.domain.erase.RemainingPlace;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.receipt.NoteSigner;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.SimulatedNode;
import dev.ebb.topology.TestCopies;
import dev.ebb.topology.TestTrash;
import dev.ebb.topology.observe.CatchUp;
import dev.ebb.topology.observe.ClockWatch;
import dev.ebb.topology.observe.Copies;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.observe.TaskStatus;
import dev.ebb.topology.parts.TopologyParts;
import dev.ebb.topology.parts.TopologySettings;
import dev.ebb.topology.policy.PolicyView;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.trash.TrashGuard;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One instance of the application while it lives: its clock, its view of the policies, what it knows of the registry. */
final class Instance {

    private static final MirrorRows ROWS = new MirrorRows();

    private final World world;

    /** The configuration with which it has started. */
    final TopologySettings settings;

    final Codec codec;
    final Views views;
    final PolicyBook policies;
    final SimulatedNode.Shared shared;
    final Slice slice = new Slice();
    final Progress catchUp = new Progress();
    final Map<Integer, TaskStatus> statuses = new HashMap<>();

    /** The tasks that have told how they stand, and have not been held to it yet. */
    final Set<Integer> told = new HashSet<>();

    int acceptedPosition;
    long aheadMs;

    @Nullable
    String clockProblem;

    /** It has read the whole topic of accepted policies before its tasks begin. */
    Instance(World world) {
        this.world = world;
        this.settings = world.settings;
        this.codec = world.codec.another();
        world.answeredSchemas().forEach(codec::learn);
        this.views = new Views(world.settings.builtIn(), codec);
        this.policies = new PolicyBook(world.codec);
        TopologyParts parts = new TopologyParts(
                codec,
                codec,
                ROWS,
                views,
                catchUp,
                new Clock(),
                copies(),
                TestTrash.ofPlaced(this::trash),
                NoteSigner.NONE,
                new AcceptedSources(),
                new Observer());
        this.shared = new SimulatedNode.Shared(world.topics, world.settings, parts, slice);
        while (acceptOne()) {}
        views.restored(acceptedPosition);
        policies.restored();
    }

    private List<TestTrash.Placed> trash(int partition) {
        return world.broker.log(world.topics.trash(), partition).stream()
                .map(message -> new TestTrash.Placed(
                        message.offset(), Objects.requireNonNull(message.key()), message.value(), message.headers()))
                .toList();
    }

    private Copies copies() {
        return new Copies() {
            @Override
            public Search search(int partition, TrashGuard guard, Wanted wanted) {
                TestCopies copies = new TestCopies();
                trash(partition)
                        .forEach(record -> copies.putTrash(
                                record.key(), record.value(), Math.toIntExact(record.offset()), record.headers()));
                return copies.search(partition, guard, wanted);
            }

            @Override
            public CompletionStage<List<RemainingPlace>> places(String namespace, EraseRest rest, long erasedMs) {
                return CompletableFuture.completedStage(List.of());
            }
        };
    }

    static MirrorRows rows() {
        return ROWS;
    }

    /** Time that the clock of the instance shows. */
    long clockMs() {
        return world.nowMs + aheadMs;
    }

    /** By what its tasks go. */
    long trustedMs() {
        return clockProblem == null ? clockMs() : world.nowMs;
    }

    /** Takes the next record of the topic of accepted policies in; returns whether there was one. */
    boolean acceptOne() {
        var log = world.broker.log(world.topics.policiesAccepted(), 0);
        if (acceptedPosition >= log.size()) {
            return false;
        }
        Message next = log.get(acceptedPosition++);
        shared.accept(next.textOfKey(), next.value(), next.offset(), next.timestampMs(), next.headers());
        policies.accept(next);
        return true;
    }

    /** The policies as its tasks look at them, between their slices and in the middle of them. */
    static final class Views extends PolicyViews {

        private int looksLeft = -1;
        private Runnable then = () -> {};

        private Views(BuiltInPolicies builtIn, RecordReader reader) {
            super(builtIn, reader);
        }

        /** Lets something happen right before a look. */
        void after(int looks, Runnable happens) {
            looksLeft = looks;
            then = happens;
        }

        @Override
        public PolicyView current() {
            if (looksLeft >= 0 && looksLeft-- == 0) {
                then.run();
            }
            return super.current();
        }
    }

    private final class Clock implements ClockWatch {

        @Override
        public @Nullable String problem() {
            return clockProblem;
        }

        @Override
        public long trusted(long nowMs) {
            return clockProblem == null ? nowMs : nowMs - aheadMs;
        }
    }

    private final class Observer implements RetentionObserver {

        @Override
        public void taskStatus(TaskStatus status) {
            statuses.put(status.partition(), status);
            told.add(status.partition());
        }

        /** Nothing has changed since the status: so it must still be true. */
        @Override
        public void taskRested(int partition, long sweepPointMs, long sweepCompletedMs, long nextSweepMs) {
            told.add(partition);
        }

        @Override
        public void figuresRecounted(int partition, List<String> differences) {
            Coverage.count("figures recounted");
            if (!differences.isEmpty()) {
                throw new Violation("I-3 a recount finds nothing", differences.toString());
            }
        }

        @Override
        public void rejected(RejectReason reason) {}
    }

    /** Ends a slice after so many steps of work; the clock of a budget is read first, and then once in eight steps. */
    static final class Slice implements LongSupplier {

        private static final int READS_BEFORE = 2;

        private long nanos;
        private int readsLeft;

        /**
         * @param reads number of questions of the budget before it is spent: 1 is one step, each further one eight more
         */
        void lasts(int reads) {
            readsLeft = READS_BEFORE + reads;
        }

        @Override
        public long getAsLong() {
            if (--readsLeft == 0) {
                nanos += 1_000_000_000L;
            }
            return nanos;
        }
    }

    /** Ends of the topics when a task started, once the broker has told them. */
    final class Progress implements CatchUp {

        private final Map<Integer, long[]> byPartition = new HashMap<>();
        private boolean isPoliciesTold;
        private long policiesTarget;

        private boolean isStuck;

        /** Keeps commands and sweeps of this instance from acting. */
        void stick() {
            isStuck = true;
        }

        @Override
        public void taskStarted(int partition) {
            byPartition.put(partition, new long[] {UNKNOWN, UNKNOWN, -1, -1});
        }

        /** The broker answers; returns whether it was asked. */
        boolean tell(Task task) {
            long[] progress = byPartition.get(task.partition);
            if (progress == null || progress[0] != UNKNOWN) {
                return false;
            }
            progress[0] = lastUncommitted(task, world.topics.events());
            progress[1] = lastUncommitted(task, world.topics.rekey());
            return true;
        }

        private long lastUncommitted(Task task, String topic) {
            int records = world.broker.log(topic, task.partition).size();
            return task.committed(topic) >= records ? -1 : world.broker.lastOffset(topic, task.partition);
        }

        boolean tellPolicies() {
            if (isPoliciesTold) {
                return false;
            }
            isPoliciesTold = true;
            policiesTarget = world.broker.lastOffset(world.topics.policies(), 0);
            return true;
        }

        /** The topics live as long as the walk. */
        @Override
        public String topicId(String topic) {
            return "id of " + topic;
        }

        /** The walk is exactly once: what comes again although its state says that it came is a fault. */
        @Override
        public boolean mayRepeat() {
            return false;
        }

        @Override
        public void processed(String topic, int partition, long offset) {
            long[] progress = byPartition.get(partition);
            if (progress != null && topic.equals(world.topics.events())) {
                progress[2] = offset;
            } else if (progress != null && topic.equals(world.topics.rekey())) {
                progress[3] = offset;
            }
        }

        @Override
        public boolean isCaughtUp(int partition) {
            long[] progress = byPartition.get(partition);
            return !isStuck && progress != null && progress[2] >= progress[0] && progress[3] >= progress[1];
        }

        @Override
        public long policiesTarget() {
            return isPoliciesTold ? policiesTarget : UNKNOWN;
        }
    }
}
