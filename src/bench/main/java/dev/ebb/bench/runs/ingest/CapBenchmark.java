package dev.ebb.bench.runs.ingest;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Duel;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.Trial;
import dev.ebb.bench.harness.Versus;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.InstalledServer;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.InputTopic;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * B-9: exact caps. Every stream is full from its first events on, so that each further event pushes the oldest one out,
 * against Redis Streams, and NATS JetStream, that are told the same.
 */
public final class CapBenchmark {

    /** Number of events that each stream keeps, the same for all contenders. */
    static final int CAP = 10;

    private static final int SHORT_EVENTS = 300_000;
    private static final int LONG_EVENTS = 2_000_000;
    private static final int STREAMS = 1000;
    private static final String NAME = "ingest at the cap";
    private static final Opponent REDIS =
            new Opponent("B-9", "Redis XADD MAXLEN =", InstalledServer.REDIS, Target.ratioAtLeast(0.5, 0.75));
    private static final Opponent NATS =
            new Opponent("B-9-nats", "NATS MaxMsgsPerSubject", InstalledServer.NATS, Target.ratioAtLeast(1.5, 3));

    private CapBenchmark() {}

    /** @param program the server that must be installed */
    private record Opponent(String id, String against, String program, Target target) {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("cap");
            int events = settings.events(SHORT_EVENTS, LONG_EVENTS);
            Workload workload =
                    settings.workload(events, STREAMS, lane.partitions()).with(Mix.PLAIN);
            InputTopic input = InputTopic.fill(lane, workload);
            Contents left = Model.newest(workload, CAP);
            var redis = InstalledServer.redis(stack.folder().resolve("redis"));
            List<Figure> figures = new ArrayList<>(
                    figures(REDIS, redis, input, left, settings, on -> new RedisCapTrial(on, input, left)));
            var nats = InstalledServer.nats(stack.folder().resolve("nats"));
            figures.addAll(figures(NATS, nats, input, left, settings, on -> new NatsCapTrial(on, input, left)));
            return figures;
        }
    }

    private static List<Figure> figures(
            Opponent opponent,
            Optional<InstalledServer> installed,
            InputTopic input,
            Contents left,
            BenchSettings settings,
            Function<InstalledServer, Trial<Rate>> trial)
            throws InterruptedException {
        if (installed.isEmpty()) {
            String why = "skipped: " + opponent.program() + " is not installed";
            return List.of(Figure.skipped(opponent.id(), NAME, opponent.against(), why));
        }
        try (InstalledServer server = installed.get()) {
            List<Trial<Rate>> trials = List.of(new EbbCapTrial(input, left), trial.apply(server));
            Duel<Rate> duel = new Duel<>(
                    trials, Rate::perSecond, "events/s", input.lane().stack().progress());
            duel.warmUpEach(settings);
            var versus = new Versus<>(opponent.against(), duel.run(settings, settings.pairs()));
            return Versus.rates(versus, opponent.id(), NAME, "events", opponent.target(), Target.REPORTED);
        }
    }

    /**
     * Ebb under a cap: until all events are stored, all events over the cap are deleted again, and both are committed.
     *
     * @param left the events that are left in the end
     */
    private record EbbCapTrial(InputTopic input, Contents left) implements Trial<Rate> {

        private static final RetentionPolicy CAPPED = Policies.settled(
                RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(CAP)).build());

        @Override
        public String name() {
            return EbbApp.NAME;
        }

        @Override
        public Rate run() throws InterruptedException {
            Lane lane = input.lane();
            lane.renewTopics();
            CpuMeter cpu = lane.stack().cpu();
            try (EbbApp app = EbbApp.start(lane, CAPPED)) {
                app.expirations().expect(input.expected().events() - left.events());
                // The others have started long before their first command, and so must Ebb before its first event.
                app.awaitFirst();
                Duration cpuBefore = cpu.used();
                app.take(input.lastOffsets());
                app.expirations().await(Expirations.LIMIT);
                app.awaitCommitted();
                Duration took =
                        Duration.ofNanos(System.nanoTime() - app.intake().firstNanos());
                Duration used = cpu.used().minus(cpuBefore);
                app.requireContents(left);
                return new Rate(input.records(), took, used);
            }
        }
    }
}
