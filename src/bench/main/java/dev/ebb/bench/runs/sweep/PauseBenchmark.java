package dev.ebb.bench.runs.sweep;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.opponents.ExpiryIndexApp;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * B-6: the longest time that a stream thread is away from its input while everything expires at once, and while policies
 * and holds change, against a store ordered by time.
 */
public final class PauseBenchmark {

    private static final int SHORT_EVENTS = 200_000;
    private static final int LONG_EVENTS = 1_000_000;
    private static final int STREAMS = 100_000;

    private PauseBenchmark() {}

    /**
     * The longest pauses of a run, in milliseconds.
     *
     * @param expire while everything expires
     * @param change while policies and holds change; the same as expire for the store ordered by time
     */
    private record Pauses(double expire, double change) {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("pause");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            InputTopic input =
                    InputTopic.fill(lane, settings.workload(events, Math.min(STREAMS, events), lane.partitions()));
            Duel<Pauses> duel =
                    new Duel<>(List.of(new EbbTrial(input), new IndexTrial(input)), Pauses::expire, "ms", progress);
            duel.warmUpEach(settings);
            return figures(new Versus<>(ExpiryIndexApp.TITLE, duel.run(settings, settings.pairs())));
        }
    }

    private static List<Figure> figures(Versus<Pauses> index) {
        Target longest = Target.valueAtMost(45, 30);
        String expires = "longest pause, everything expires";
        return List.of(
                index.figure("B-6", expires, "ms", longest, Pauses::expire),
                index.figure("B-6-ratio", expires, "ms", Target.ratioAtMost(1, 1), Pauses::expire),
                index.figure("B-6-change", "longest pause, policies and holds change", "ms", longest, Pauses::change));
    }

    /** Starts the application, lets it take everything in, and waits until all is at rest. */
    private static void begin(App app, InputTopic input) throws InterruptedException {
        app.take(input.lastOffsets());
        input.lane().stack().rest();
        app.expirations().expect(Model.due(input.workload()));
        app.application().threads().reset();
    }

    /** Returns the longest pause in milliseconds until everything has expired that can. */
    private static double expired(App app, InputTopic input) throws InterruptedException {
        app.expirations().await(Expirations.LIMIT);
        app.awaitCommitted();
        double pause = longest(app);
        app.requireContents(Model.guarded(input.workload()));
        return pause;
    }

    private static double longest(App app) {
        return app.application().threads().longestWork().toNanos() / 1e6;
    }

    /**
     * Ebb with many streams: a policy of all streams changes and deletes nothing, a hold on all of them is placed and
     * released, and then everything expires. All changes are declared in the usual way, so that the brake counts too.
     */
    private record EbbTrial(InputTopic input) implements Trial<Pauses> {

        private static final Hold HOLD = new Hold("BENCH-1", Scope.ALL, "measured", "bench", 0);

        @Override
        public String name() {
            return EbbApp.NAME;
        }

        /** Returns more than the default: idle time warms nothing up, so 20 s of a run are not 20 s of work. */
        @Override
        public int warmUps() {
            return 3;
        }

        @Override
        public Pauses run() throws InterruptedException {
            input.lane().renewTopics();
            try (EbbApp app = EbbApp.start(input.lane(), Policies.KEEP)) {
                begin(app, input);
                Policies policies = new Policies(input.lane());
                app.awaitNewPolicies(() -> policies.declare(ageOf(Duration.ofDays(365))));
                app.awaitNewPolicies(() -> policies.place(HOLD));
                app.awaitNewPolicies(() -> policies.release(HOLD));
                double change = longest(app);
                app.application().threads().reset();
                policies.declare(
                        ageOf(Duration.ofMillis(1)).toBuilder().confirmed(true).build());
                return new Pauses(expired(app, input), change);
            }
        }

        private static RetentionPolicy ageOf(Duration maxAge) {
            return RetentionPolicy.of(Scope.ALL)
                    .anchor(Anchor.OCCURRED)
                    .maxAge(Limit.of(maxAge.toMillis()))
                    .build();
        }
    }

    /** The store ordered by time: its limit changes, and all events expire. */
    private record IndexTrial(InputTopic input) implements Trial<Pauses> {

        @Override
        public String name() {
            return ExpiryIndexApp.NAME;
        }

        @Override
        public int warmUps() {
            return 3;
        }

        @Override
        public Pauses run() throws InterruptedException {
            input.lane().renewTopics();
            try (ExpiryIndexApp app = ExpiryIndexApp.start(input.lane())) {
                begin(app, input);
                app.limit(Duration.ofMillis(1));
                double pause = expired(app, input);
                return new Pauses(pause, pause);
            }
        }
    }
}
