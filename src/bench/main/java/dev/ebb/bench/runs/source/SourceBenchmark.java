package dev.ebb.bench.runs.source;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.bench.harness.Awaiting;
import dev.ebb.bench.harness.BenchSettings;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Figure;
import dev.ebb.bench.harness.Target;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.bench.stack.BenchStack;
import dev.ebb.bench.stack.EbbProcess;
import dev.ebb.bench.stack.Lane;
import dev.ebb.bench.stack.Policies;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * B-18: the CPU time that an instance takes for a record of a foreign table, as a reference and with its value, against
 * that of an event of the same value that is sent to it; the bytes of a reference; and the tombstones of a sweep.
 */
public final class SourceBenchmark {

    private static final int SHORT_ROWS = 100_000;
    private static final int LONG_ROWS = 500_000;
    private static final int STREAMS = 1000;
    private static final int VALUE_BYTES = 1000;

    /** Sent one after the other: on a topic that has just been made, what is sent ahead may be refused. */
    private static final int FIRST_ROWS = 100;

    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final ObjectMapper JSON = new ObjectMapper();

    private SourceBenchmark() {}

    /** Costs of one form of intake: CPU time of a record in microseconds, and stored bytes of an event. */
    private record Cost(double micros, double bytes) {}

    public static List<Figure> run(BenchSettings settings, Consumer<String> progress) throws InterruptedException {
        try (BenchStack stack = BenchStack.start(settings.folder(), progress)) {
            Lane lane = stack.lane("source");
            lane.renewAllTopics();
            new Policies(lane).putInForce(Policies.settled(Policies.KEEP));
            try (EbbProcess app = EbbProcess.start(lane)) {
                return new Run(lane, app, settings.events(SHORT_ROWS, LONG_ROWS), settings, progress).figures();
            } catch (ExecutionException e) {
                throw new VoidRunException("the broker fails: " + e.getMessage(), e);
            }
        }
    }

    /** All runs on one instance, which stays warm. */
    private record Run(Lane lane, EbbProcess app, int rows, BenchSettings settings, Consumer<String> progress) {

        List<Figure> figures() throws InterruptedException, ExecutionException {
            List<Figure.Pair> references = new ArrayList<>();
            List<Figure.Pair> payloads = new ArrayList<>();
            List<Figure.Pair> bytes = new ArrayList<>();
            List<Double> tombstones = new ArrayList<>();
            int warmUps = settings.byLength(0, 1, 2);
            for (int round = 0; round < warmUps + settings.pairs(); round++) {
                Cost direct = direct("direct" + round);
                Cost reference = foreign("reference" + round, "reference");
                Cost payload = foreign("payload" + round, "payload");
                double perSecond = tombstones("reference" + round);
                progress.accept(
                        "%s: an event %.1f µs, a reference %.1f µs and %.0f bytes, with its value %.1f µs and %.0f bytes; %.0f tombstones/s"
                                .formatted(
                                        round < warmUps ? "warm-up" : "round " + (round - warmUps + 1),
                                        direct.micros,
                                        reference.micros,
                                        reference.bytes,
                                        payload.micros,
                                        payload.bytes,
                                        perSecond));
                if (round >= warmUps) {
                    references.add(new Figure.Pair(reference.micros, direct.micros));
                    payloads.add(new Figure.Pair(payload.micros, direct.micros));
                    bytes.add(new Figure.Pair(reference.bytes, payload.bytes));
                    tombstones.add(perSecond);
                }
            }
            String direct = "an event sent to Ebb";
            return List.of(
                    Figure.of(
                            "B-18",
                            "CPU of the instance, a record as a reference",
                            "µs",
                            direct,
                            Target.ratioAtMost(1.3, 1.3),
                            references),
                    Figure.of(
                            "B-18-payload",
                            "CPU of the instance, a record with its value",
                            "µs",
                            direct,
                            Target.ratioAtMost(1.8, 1.8),
                            payloads),
                    Figure.of(
                            "B-18-bytes",
                            "stored bytes of a reference",
                            "bytes",
                            "with a value of 1 kB",
                            Target.ratioAtMost(0.15, 0.15),
                            bytes),
                    Figure.alone(
                            "B-18-tombstones",
                            "tombstones of a sweep into a target",
                            "1/s",
                            Target.valueAtLeast(100_000, 100_000),
                            tombstones));
        }

        private Cost direct(String namespace) throws InterruptedException {
            SplittableRandom random = new SplittableRandom(settings.seed());
            Duration before = CpuMeter.of(app.pid());
            try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
                for (int row = 0; row < rows; row++) {
                    Event event = event(namespace, row, random);
                    var unused = producer.send(new ProducerRecord<>(
                            lane.topics().events(),
                            event.stream().value().getBytes(UTF_8),
                            lane.records().event(event)));
                }
            }
            return cost(namespace, before);
        }

        private Event event(String namespace, int row, SplittableRandom random) {
            return new Event(
                    new StreamName(namespace + "/" + row % STREAMS),
                    new EventId("r-" + row),
                    "row",
                    "completed",
                    System.currentTimeMillis(),
                    null,
                    OwnTtl.NONE,
                    0,
                    null,
                    Map.of(),
                    "application/json",
                    value(row, random));
        }

        /** Fills a topic, and then lets the instance read it. */
        private Cost foreign(String name, String keep) throws InterruptedException, ExecutionException {
            String topic = topic(name);
            try (Admin admin = lane.clients().admin()) {
                admin.createTopics(List.of(new NewTopic(topic, lane.partitions(), (short) 1)
                                .configs(Map.of("cleanup.policy", "compact"))))
                        .all()
                        .get();
            }
            SplittableRandom random = new SplittableRandom(settings.seed());
            try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
                for (int row = 0; row < rows; row++) {
                    Future<?> sent = producer.send(
                            new ProducerRecord<>(topic, ("r-" + row).getBytes(UTF_8), value(row, random)));
                    if (row < FIRST_ROWS) {
                        sent.get();
                    }
                }
            }
            Duration before = CpuMeter.of(app.pid());
            declare("source:" + name, """
                    {"name": "%1$s", "topic": "%2$s", "as": "table", "key": "text", "value": "json",
                     "stream": "%1$s/{value.customer}", "occurredAt": {"from": "value.at", "unit": "ms"}, "keep": "%3$s",
                     "status": {"from": "value.state", "map": {"DONE": "completed"}}, "target": {"tombstones": "same"}}
                    """.formatted(name, topic, keep));
            return cost(name, before);
        }

        private String topic(String name) {
            return lane.topics().prefix() + "shop." + name;
        }

        private static byte[] value(int row, SplittableRandom random) {
            byte[] text = new byte[VALUE_BYTES * 3 / 4 - 60];
            random.nextBytes(text);
            return ("{\"customer\": \"" + row % STREAMS + "\", \"state\": \"DONE\", \"at\": "
                            + System.currentTimeMillis() + ", \"text\": \""
                            + Base64.getEncoder().encodeToString(text) + "\"}")
                    .getBytes(UTF_8);
        }

        private void declare(String key, String value) throws InterruptedException, ExecutionException {
            try (Producer<byte[], byte[]> producer = lane.clients().producer()) {
                producer.send(new ProducerRecord<>(
                                lane.topics().policiesAccepted(), key.getBytes(UTF_8), value.getBytes(UTF_8)))
                        .get();
            }
        }

        private Cost cost(String namespace, Duration before) throws InterruptedException {
            Awaiting.until(() -> namespace(namespace, "events") == rows, LIMIT, namespace + " was not taken in");
            Duration used = CpuMeter.of(app.pid()).minus(before);
            return new Cost(used.toNanos() / 1e3 / rows, namespace(namespace, "bytes") / (double) rows);
        }

        /** Returns the rate of the sweep that takes all events of the source. */
        private double tombstones(String name) throws InterruptedException, ExecutionException {
            declare("namespace:" + name, """
                    {"scope": "namespace:%s", "anchor": "occurred", "maxAge": "1ms", "mode": "enforce", "undo": "none"}
                    """.formatted(name));
            Awaiting.until(() -> namespace(name, "events") < rows, LIMIT, name + " was not swept");
            long begin = System.nanoTime();
            long left = namespace(name, "events");
            Awaiting.until(() -> namespace(name, "events") <= 0, LIMIT, name + " was not swept");
            return left * 1e9 / (System.nanoTime() - begin);
        }

        private long namespace(String name, String figure) {
            try (InputStream answer =
                    URI.create(app.url() + "/v1/status").toURL().openStream()) {
                return JSON.readTree(answer)
                        .path("namespaces")
                        .path(name)
                        .path(figure)
                        .asLong(-1);
            } catch (IOException e) {
                throw new VoidRunException("the application does not say what it has stored", e);
            }
        }
    }
}
