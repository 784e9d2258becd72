package dev.ebb.bench.runs.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.load.EventGenerator.Timed;
import dev.ebb.bench.opponents.TableScanApp;
import dev.ebb.bench.stack.App;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbApp;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Expirations;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.topology.source.AcceptedSource;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.source.SourceTargets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;

/**
 * B-18-pause: the longest time that a stream thread is away from its input while a hundredth of the keys of a foreign
 * table falls due, each with a tombstone, against a punctuator that reads the whole table.
 */
public final class TablePauseBenchmark {

    private static final int SHORT_KEYS = 500_000;
    private static final int LONG_KEYS = 10_000_000;
    private static final int STREAMS = 1000;

    /** One in so many keys falls due with each step. */
    private static final int SHARE = 100;

    /** Steps that count, after those that warm the code up. */
    private static final int STEPS = 3;

    private static final int WARM_UPS = 3;
    private static final String SOURCE = "keys";
    private static final String TOPIC_ID = "bench";

    private TablePauseBenchmark() {}

    /** Lets all keys older than a limit fall due. */
    @FunctionalInterface
    private interface Step {

        void limit(Duration maxAge) throws InterruptedException;
    }

    /** The rows of the table, as the source sends them: a reference to each, in the order of the keys. */
    private record Table(int partitions, int keys, long nowMs) {

        Event event(int row) {
            byte[] key = ("k-" + row).getBytes(UTF_8);
            Event event = new Event(
                    new StreamName(SOURCE + "/" + row % STREAMS),
                    new EventId("k-" + row),
                    "row",
                    "completed",
                    nowMs - age(part(row)).toMillis(),
                    null,
                    OwnTtl.NONE,
                    0,
                    null,
                    Map.of(),
                    null,
                    new byte[0]);
            return new SourcePlace(SOURCE, TOPIC_ID, row % partitions, row, key).on(event);
        }

        /** Returns the hundredth that the row belongs to, from 0. */
        static int part(int row) {
            return row / STREAMS % SHARE;
        }

        Stream<Timed> rows() {
            return IntStream.range(0, keys).mapToObj(row -> new Timed(event(row), nowMs, false));
        }

        /** Returns the number of rows that a step takes. */
        long due(int step) {
            return IntStream.range(0, keys).filter(row -> part(row) == step).count();
        }

        /** Returns the contents after all steps. */
        Contents left() {
            return IntStream.range(0, keys)
                    .filter(row -> part(row) >= WARM_UPS + STEPS)
                    .mapToObj(row -> Contents.of(event(row)))
                    .reduce(Contents.NONE, Contents::plus);
        }
    }

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("table");
            int keys = Math.max(SHARE * STREAMS, settings.events(SHORT_KEYS, LONG_KEYS));
            Table table = new Table(lane.partitions(), keys, System.currentTimeMillis());
            lane.renewAllTopics();
            progress.accept(String.format(Locale.ROOT, "filling a table of %,d keys", keys));
            long[] ends = new EventSender(lane, EventSender.BY_STREAM)
                    .send(table.rows().iterator());
            List<Double> ebb = ofEbb(lane, table, ends);
            progress.accept("longest pauses of Ebb: " + ebb + " ms");
            List<Double> scan = ofScan(lane, table, ends);
            progress.accept("longest pauses of the scan: " + scan + " ms");
            return List.of(Figure.of(
                    "B-18-pause",
                    String.format(
                            Locale.ROOT, "longest pause, %,d of %,d keys of a table fall due", keys / SHARE, keys),
                    "ms",
                    TableScanApp.TITLE,
                    Target.valueAtMost(45, 45),
                    IntStream.range(0, STEPS)
                            .mapToObj(step -> new Figure.Pair(ebb.get(step), scan.get(step)))
                            .toList()));
        }
    }

    /** Returns the age of a hundredth of the keys: each step takes one of them, all others are new. */
    private static Duration age(int part) {
        int steps = WARM_UPS + STEPS;
        return part < steps ? Duration.ofDays(10L * (steps - part)) : Duration.ZERO;
    }

    private static List<Double> ofEbb(Lane lane, Table table, long[] ends) throws InterruptedException {
        lane.renewTopics();
        Policies policies = new Policies(lane);
        try (EbbApp app = EbbApp.start(lane, Policies.KEEP, sources(lane))) {
            return pauses(app, table, ends, maxAge -> policies.declare(aged(maxAge)));
        }
    }

    private static RetentionPolicy aged(Duration maxAge) {
        return Policies.settled(RetentionPolicy.of(Scope.ALL)
                .anchor(Anchor.OCCURRED)
                .maxAge(Limit.of(maxAge.toMillis()))
                .confirmed(true)
                .build());
    }

    /** Returns the source of the table with a topic of deletes, which is made here. */
    private static AcceptedSources sources(Lane lane) throws InterruptedException {
        String deletes = lane.topics().prefix() + "keys.deletes";
        try (Admin admin = lane.clients().admin()) {
            admin.createTopics(List.of(new NewTopic(deletes, lane.partitions(), (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not make a topic: " + e.getMessage(), e);
        }
        AcceptedSources sources = new AcceptedSources();
        sources.accept("source:" + SOURCE, """
            {"name": "keys", "topic": "shop.keys", "as": "table", "key": "text", "value": "json",
             "stream": "keys/{value.customer}", "target": {"tombstones": {"topic": "%s"}}}
            """.formatted(deletes).getBytes(UTF_8), 1);
        Map<String, AcceptedSource> current = sources.current();
        AcceptedSource keys = Objects.requireNonNull(current.get(SOURCE));
        sources.update(
                current,
                List.of(new SourceTargets.Target(keys.source(), deletes, TOPIC_ID, SourceTargets.State.READY)));
        return sources;
    }

    private static List<Double> ofScan(Lane lane, Table table, long[] ends) throws InterruptedException {
        lane.renewTopics();
        try (TableScanApp app = TableScanApp.start(lane)) {
            return pauses(app, table, ends, app::limit);
        }
    }

    /** Returns the longest pause of each step that counts, in milliseconds. */
    private static List<Double> pauses(App app, Table table, long[] ends, Step change) throws InterruptedException {
        app.take(ends);
        List<Double> pauses = new ArrayList<>();
        for (int step = 0; step < WARM_UPS + STEPS; step++) {
            app.expirations().expect(table.due(step));
            app.application().threads().reset();
            change.limit(age(step).minusDays(5));
            app.expirations().await(Expirations.LIMIT);
            app.awaitCommitted();
            if (step >= WARM_UPS) {
                pauses.add(app.application().threads().longestWork().toNanos() / 1e6);
            }
        }
        app.requireContents(table.left());
        return pauses;
    }
}
