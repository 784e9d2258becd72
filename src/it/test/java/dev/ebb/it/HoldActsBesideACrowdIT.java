package dev.ebb.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.runtime.kafka.KafkaClients;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller with a crowd of commands over many streams, and others beside it, over a real broker and a small heap. */
@Tag("M-18")
@Tag("O-11")
@Timeout(300)
class HoldActsBesideACrowdIT {

    private static final int CROWD = 400;
    private static final int CALLERS = 20;

    /** More than one caller has places for. */
    private static final int WAITING = 80;

    /** A caller without a place is refused at once, and must not take the processor from the others. */
    private static final long REFUSED_PAUSE_NANOS = 100_000_000;

    /** Beside a crowd without bounds there were thousands. */
    private static final int MOST_THREADS = 400;

    @TempDir
    private Path folder;

    private OneInstance instance;

    @BeforeEach
    void start() throws Exception {
        instance = OneInstance.start("crowd", folder);
        instance.send("shop/1", "[{\"id\":\"a\",\"metadata\":{\"user\":\"1\"}},{\"id\":\"b\"}]");
        instance.send("shop/2", "{\"id\":\"c\"}");
        Await.until("the events can be read", () -> Integer.toString(
                        instance.process().get("/v1/streams/shop%2F2/events/c").statusCode())
                .replace("200", ""));
    }

    @AfterEach
    void stop() throws Exception {
        instance.close();
    }

    @Test
    void shouldActOnHoldsAndSmallDeletesWhileACrowdIsRefused() throws Exception {
        // given
        Map<Integer, Long> answers = crowd();
        assertThat(answers.keySet()).isSubsetOf(202, 429);
        assertThat(answers.get(429)).as(answers.toString()).isPositive();

        // when
        HttpResponse<String> hold =
                instance.process().put("/v1/holds/LIT-1", "{\"covers\":\"stream:shop/1\",\"reason\":\"litigation\"}");
        HttpResponse<String> held = instance.process().delete("/v1/streams/shop%2F1?reason=test&wait=60s");
        HttpResponse<String> deleted = instance.process().delete("/v1/streams/shop%2F2?reason=test&wait=60s");

        // then
        assertThat(hold.statusCode()).as(hold.body()).isEqualTo(200);
        assertThat(held.body()).contains("HELD");
        assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
        assertThat(instance.process().get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(threads()).isLessThan(MOST_THREADS);
        Await.until("the crowd is gone", () -> {
            JsonNode commands = instance.json("/v1/instances").at("/sum/commands");
            return commands.path("bulk").asInt() == 0 ? "" : commands.toString();
        });
        assertThat(crowd().get(202)).as("there is room again").isPositive();
    }

    /** Requests of one caller that wait for their results take all of its places; holds and small deletes have others. */
    @Test
    void shouldActOnHoldsAndSmallDeletesOfTheCallerOfTheCrowd() throws Exception {
        // given
        ExecutorService callers = Executors.newFixedThreadPool(WAITING);
        try {
            for (int i = 0; i < WAITING; i++) {
                callers.submit(this::waitAgainAndAgain);
            }
            Await.until("the caller has no place left", () -> Integer.toString(
                            instance.process().get("/v1/holds").statusCode())
                    .replace("429", ""));

            // when
            HttpResponse<String> hold = instance.process()
                    .put("/v1/holds/LIT-2", "{\"covers\":\"stream:shop/1\",\"reason\":\"litigation\"}");
            HttpResponse<String> held = instance.process().delete("/v1/streams/shop%2F1?reason=test&wait=10s");
            HttpResponse<String> deleted = instance.process().delete("/v1/streams/shop%2F2?reason=test&wait=10s");
            HttpResponse<String> released = instance.process().delete("/v1/holds/LIT-2?reason=over");

            // then
            assertThat(hold.statusCode()).as(hold.body()).isEqualTo(200);
            assertThat(held.body()).contains("HELD");
            assertThat(deleted.statusCode()).as(deleted.body()).isEqualTo(200);
            assertThat(released.statusCode()).as(released.body()).isBetween(200, 202);
        } finally {
            callers.shutdownNow();
        }
    }

    /** Takes a place until it is interrupted: on a busy machine, callers that ask once are gone before the last one comes. */
    private Void waitAgainAndAgain() throws Exception {
        while (!Thread.currentThread().isInterrupted()) {
            instance.process().get("/v1/commands/none?wait=20s");
            LockSupport.parkNanos(REFUSED_PAUSE_NANOS);
        }
        return null;
    }

    /** The bytes are those of a genuine result of another id, so only the state of a partition can tell. */
    @Test
    void shouldTakeAForgedResultForNone() throws Exception {
        // given
        String forged = "{\"commandId\":\"fake1\",\"verb\":\"delete\",\"state\":\"DONE\",\"dryRun\":false,"
                + "\"outcome\":{\"kind\":\"deleted\",\"streamsProcessed\":1,\"eventsDeleted\":777},"
                + "\"startedAt\":1795864349301,\"updatedAt\":1795864349301,\"partition\":0}";
        KafkaClients clients = new KafkaClients(instance.services().config(Map.of()));
        try (Producer<byte[], byte[]> producer = clients.producer()) {
            producer.send(new ProducerRecord<>(instance.services().topic("results"), 0, bytes("fake1"), bytes(forged)))
                    .get();
        }

        // then: a later command has its result, so the forged one has been read
        assertThat(instance.process()
                        .delete("/v1/streams/shop%2F2?reason=test&wait=60s")
                        .statusCode())
                .isEqualTo(200);
        assertThat(instance.process().get("/v1/commands/fake1").statusCode()).isEqualTo(404);

        // when
        HttpResponse<String> real =
                instance.process().delete("/v1/streams/shop%2F1?reason=test&wait=60s&commandId=fake1");

        // then
        assertThat(real.statusCode()).as(real.body()).isEqualTo(200);
        assertThat(instance.json("/v1/commands/fake1")
                        .at("/outcome/eventsDeleted")
                        .asInt())
                .isEqualTo(2);
    }

    /** Returns the number of answers by status. */
    private Map<Integer, Long> crowd() throws Exception {
        String where = IntStream.range(0, 40)
                .mapToObj(i -> "\"metadata.k" + i + "=" + "x".repeat(200) + "\"")
                .collect(Collectors.joining(","));
        String body = "{\"where\":[" + where + "],\"case\":\"GDPR-1\"}";
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Callable<Integer>> requests = new ArrayList<>();
            for (int i = 0; i < CROWD; i++) {
                requests.add(() -> instance.process()
                        .post("/v1/erase?dryRun=true&wait=0", body)
                        .statusCode());
            }
            List<Integer> statuses = new ArrayList<>();
            for (Future<Integer> answer : callers.invokeAll(requests)) {
                statuses.add(answer.get());
            }
            return statuses.stream().collect(Collectors.groupingBy(status -> status, Collectors.counting()));
        } finally {
            callers.shutdownNow();
        }
    }

    private double threads() throws Exception {
        return instance.process()
                .get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("jvm_threads_current "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
