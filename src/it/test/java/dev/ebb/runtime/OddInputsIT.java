package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.cli.CommandRun;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.it.Await;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Small inputs that end badly elsewhere, sent as a person sends them: by the command line to an application with a real
 * broker. Each is refused or set aside with the words that help, or means what its author wrote.
 */
@Tag("O-22")
@Timeout(180)
@TestInstance(Lifecycle.PER_CLASS)
class OddInputsIT {

    /** Exit code of a command whose name does not exist; 4 would be an API that is away. */
    private static final int NOT_FOUND = 1;

    /** Exit code of a command that cannot be meant. */
    private static final int WRONG_USE = 2;

    @TempDir
    private Path folder;

    private EbbConfig config;
    private EbbApplication application;
    private CompletableFuture<RunOutcome> running;

    @BeforeAll
    void start() throws Exception {
        try (ServerSocket free = new ServerSocket(0)) {
            config = SharedStack.config(
                    Map.of("api.listen", "127.0.0.1:" + free.getLocalPort(), "commit.interval", "100ms"));
        }
        try (Admin admin = new KafkaClients(config).admin()) {
            new TopicAdmin(admin, config).create();
        }
        application = new EbbApplication(config, new LifecycleObserver() {});
        running = CompletableFuture.supplyAsync(application::run);
        Await.until(() -> run("policy", "list").exitCode() == 0);
    }

    @AfterAll
    void stop() throws Exception {
        application.stop();
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "units/1 | \"occurredAt\":1795838401 | BAD_TIME | seconds?",
                "units/2 | \"completedAt\":1795838401 | BAD_TIME | seconds?",
                "units/3 | \"expiresAt\":1830384001 | BAD_TTL | seconds?",
                "units/4 | \"expiresAt\":253402300800001 | BAD_TTL | after 9999",
                "units/5 | \"occurredAt\":1795838400123456 | BAD_TIME | microseconds?",
                "/nowhere/1 | \"type\":\"t\" | BAD_NAME | its namespace would have no name",
                "words/1 | \"status\":\"done \" | BAD_NAME | begin or end with a blank",
                "words/2 | \"status\":\"  \" | BAD_NAME | begin or end with a blank",
                "words/3 | \"status\":\"done\u200B\" | BAD_NAME | begin or end with an invisible character"
            })
    void shouldSetAsideWhatCannotBeMeantAndSayWhatItIsReadAs(String stream, String field, String reason, String said)
            throws Exception {
        // when
        CommandRun sent = send("{\"stream\":\"" + stream + "\",\"id\":\"a\"," + field + "}");

        // then
        assertThat(sent.exitCode()).isEqualTo(1);
        assertThat(sent.err()).contains("line 1: " + reason, said);
        Await.until(() -> rejection(stream).contains(said));
        assertThat(rejection(stream)).contains(reason);
        CommandRun described = run("stream", "describe", stream);
        // No stream may have such a name, so it is an error to ask for one.
        boolean isNamed = !stream.startsWith("/");
        assertThat(described.exitCode()).as(described.err()).isEqualTo(isNamed ? NOT_FOUND : WRONG_USE);
    }

    @Test
    @Tag("O-24")
    void shouldSetAsideATooLongStatusAndTakeInWhatFollows() throws Exception {
        // when
        CommandRun sent = send("{\"stream\":\"long/1\",\"id\":\"a\",\"status\":\"" + "x".repeat(2800) + "\"}");
        assertThat(sent.exitCode()).isEqualTo(1);
        produce("{\"stream\":\"long/1\",\"id\":\"b\"}");

        // then
        Await.until(() -> rejection("long/1").contains("status must not be longer than 255 bytes"));
        Await.until(() -> ids("long/1").equals(List.of("b")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "maxAge: 2M | write m for minutes or mo for months",
                "maxAge: 3D | d",
                "maxCount: 8.5 | maxCount",
                "maxBytes: 2GB | write all digits",
                "maxAge: 106751991169d | too long",
                "maxAge: 9223372036854775809ms | too long",
                "undo: 36893488147419103230s | too long"
            })
    void shouldRefuseAFileWithAValueThatIsNotClear(String field, String said) throws Exception {
        // when
        CommandRun run = run("policy", "apply", "-f", file("policies:\n  - scope: namespace:unclear\n    " + field));

        // then
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("nothing in it is applied", said);
        CommandRun inForce = run("policy", "get", "namespace:unclear");
        assertThat(inForce.exitCode()).as(inForce.err()).isEqualTo(NOT_FOUND);
    }

    @Test
    @Tag("O-24")
    void shouldRefuseATextThatItWouldHaveToCut() throws Exception {
        // given
        String file = file("policies:\n  - scope: namespace:wordy\n    maxAge: 40d\n    reason: \"" + "so ".repeat(1700)
                + "so\"\n");

        // then
        assertThat(run("policy", "apply", "-f", file).exitCode()).isEqualTo(2);
        CommandRun compared = run("policy", "diff", "-f", file);
        assertThat(compared.exitCode()).isEqualTo(2);
        assertThat(compared.err()).contains("must not be longer than 4096 characters");
    }

    @Test
    void shouldReadNumbersOfYamlAsDecimal() throws Exception {
        // when
        CommandRun run =
                run("policy", "apply", "-f", file("policies:\n  - scope: namespace:tens\n    maxCount: 0020\n"));

        // then
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(done("policy", "get", "namespace:tens").out()).containsPattern("maxCount +20\n");
    }

    @Test
    @Tag("O-23")
    void shouldSayThatAnAsteriskInsideANameIsNoPattern() throws Exception {
        // given
        produce("{\"stream\":\"bills/7\",\"id\":\"a\"}");
        Await.until(() -> ids("bills/7").equals(List.of("a")));

        // when
        CommandRun policy =
                run("policy", "apply", "-f", file("policies:\n  - scope: \"namespace:bill*\"\n    maxAge: 200d\n"));
        CommandRun held = run(
                "policy",
                "apply",
                "-f",
                file("policies: []\nholds:\n  - case: CASE-7\n    covers: \"stream:bills/*\"\n    reason: r\n"));

        // then
        assertThat(policy.exitCode()).as(policy.err()).isZero();
        assertThat(policy.out() + policy.err()).contains("'*' in a name is an asterisk");
        assertThat(held.exitCode()).isEqualTo(5);
        assertThat(held.err()).contains("the hold covers nothing", "the nearest is 'bills/7'");
        assertThat(done("hold", "list").out()).doesNotContain("CASE-7");
    }

    @Test
    void shouldReadEightDigitsAsADateAndSayWhichMomentItUnderstood() throws Exception {
        // given
        produce("{\"stream\":\"dates/1\",\"id\":\"a\"}", "{\"stream\":\"dates/1\",\"id\":\"b\"}");
        Await.until(() -> ids("dates/1").size() == 2);
        done("event", "delete", "dates/1", "a", "--yes", "--reason", "t");
        LocalDate tomorrow = LocalDate.now(ZoneOffset.UTC).plusDays(1);
        String digits = tomorrow.toString().replace("-", "");

        // when
        CommandRun undone = run("undo", "--since", digits, "--reason", "t", "--dry-run");
        CommandRun purged = run("purge", "--namespace", "dates", "--completed-before", "20890101", "--dry-run");

        // then
        assertThat(undone.exitCode()).isEqualTo(1);
        assertThat(undone.out() + undone.err()).contains("since " + tomorrow + "T00:00:00.000Z");
        assertThat(purged.out()).containsPattern("streams would go +1\n");
        assertThat(purged.out() + purged.err()).contains("completedBefore 2089-01-01T00:00:00.000Z");
    }

    @Test
    void shouldTakeOneDateAsThatWholeDay() throws Exception {
        // given
        produce("{\"stream\":\"days/1\",\"id\":\"a\"}");
        Await.until(() -> ids("days/1").size() == 1);
        LocalDate before = LocalDate.now(ZoneOffset.UTC);
        done("event", "delete", "days/1", "a", "--yes", "--reason", "t");
        LocalDate after = LocalDate.now(ZoneOffset.UTC);

        // when
        CommandRun listed =
                done("audit", "list", "--stream", "days/1", "--from", before.toString(), "--to", after.toString());

        // then
        assertThat(listed.out()).contains("DELETE").contains("days/1");
        assertThat(listed.out() + listed.err()).contains(after + "T23:59:59.999Z");
    }

    @Test
    @Tag("O-25")
    void shouldShowColumnsThatAddUpToWhatIsStored() throws Exception {
        // given
        produce(
                "{\"stream\":\"sums/1\",\"id\":\"soon\",\"ttlSeconds\":5400}",
                "{\"stream\":\"sums/1\",\"id\":\"late\",\"ttlSeconds\":930720000}",
                "{\"stream\":\"sums/1\",\"id\":\"kept\",\"status\":\"pending\"}",
                "{\"stream\":\"sums/1\",\"id\":\"plain\"}");
        Await.until(() -> ids("sums/1").size() == 4);

        // when
        LocalDate from = LocalDate.now(ZoneOffset.UTC).plusDays(20);
        String[] lines = run("forecast", "--namespace", "sums", "--from", from.toString(), "--by", "month")
                .out()
                .split("\n", -1);
        String[] sums = Stream.of(lines)
                .filter(line -> line.startsWith("sums "))
                .findFirst()
                .orElseThrow()
                .split(" +", -1);

        // then
        assertThat(Integer.parseInt(sums[1])).isEqualTo(4);
        assertThat(Stream.of(sums).skip(2).mapToInt(Integer::parseInt).sum()).isEqualTo(4);
    }

    @Test
    void shouldReadPipes() throws Exception {
        // given
        Path policies = folder.resolve("policies.pipe");
        Path events = folder.resolve("events.pipe");
        for (Path pipe : List.of(policies, events)) {
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
        }

        // when
        CompletableFuture<Void> first = write(policies, "policies:\n  - scope: namespace:pipes\n    maxAge: 299d\n");
        CommandRun applied = run("policy", "apply", "-f", policies.toString());
        CompletableFuture<Void> second = write(events, "{\"stream\":\"pipes/1\",\"id\":\"a\"}\n");
        CommandRun sent = run("produce", "-f", events.toString());

        // then
        assertThat(applied.exitCode()).as(applied.err()).isZero();
        assertThat(sent.exitCode()).as(sent.err()).isZero();
        CompletableFuture.allOf(first, second).get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-27", "2:45", "=", "0017", "yes", "~", "1e3", "0x1F", "null", "<<", "1_000"})
    void shouldWriteYamlThatAnOlderParserReadsAsTheSameText(String id) throws Exception {
        // given
        produce("{\"stream\":\"yaml/1\",\"id\":\"" + id + "\"}");
        Await.until(() -> ids("yaml/1").contains(id));

        // when
        Map<String, Object> read =
                new Yaml().load(run("event", "list", "yaml/1", "-o", "yaml").out());

        // then
        assertThat((List<?>) read.get("events"))
                .anySatisfy(event -> assertThat(((Map<?, ?>) event).get("id")).isEqualTo(id));
    }

    @ParameterizedTest
    @CsvSource({
        "2016-12-31T23:59:60Z, 2016-12-31T23:59:59.999Z",
        "2016-12-31T18:59:60.25-05:00, 2016-12-31T23:59:59.999Z"
    })
    void shouldTakeALeapSecondAsTheLastMomentOfItsMinute(String time, String stored) throws Exception {
        // given an id of its own for each
        String id = "leap" + time.length();
        String event = "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/leaps\",\"subject\":\"1\","
                + "\"type\":\"t\",\"time\":\"" + time + "\"}";
        done("policy", "set", "namespace:leaps", "--max-age", "unlimited");

        // when
        String topic = config.get(Settings.TOPICS_PREFIX) + "events";
        ProducerRecord<byte[], byte[]> sent =
                new ProducerRecord<>(topic, "leaps/1".getBytes(UTF_8), event.getBytes(UTF_8));
        sent.headers().add("content-type", "application/cloudevents+json".getBytes(UTF_8));
        Map<String, Object> client = Map.of("bootstrap.servers", config.get(Settings.BOOTSTRAP_SERVERS));
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
            producer.send(sent).get();
        }

        // then
        Await.until(() -> run("event", "list", "leaps/1", "--include-expired", "-o", "json")
                .out()
                .contains(id));
        assertThat(done("event", "get", "leaps/1", id, "-o", "json").out()).contains("\"" + stored + "\"");
    }

    private String rejection(String stream) throws IOException {
        for (JsonNode one : json("rejected", "list", "-o", "json").path("rejected")) {
            if (one.path("key").asText().equals(stream)) {
                return one.toString();
            }
        }
        return "";
    }

    private List<String> ids(String stream) throws IOException {
        CommandRun list = run("event", "list", stream, "-o", "json");
        return list.exitCode() == 0
                ? new ObjectMapper().readTree(list.out()).path("events").findValuesAsText("id")
                : List.of();
    }

    private static CompletableFuture<Void> write(Path pipe, String text) {
        return CompletableFuture.runAsync(() -> {
            try {
                Files.writeString(pipe, text);
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
    }

    private String file(String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "file", ".yaml"), text)
                .toString();
    }

    private void produce(String... lines) throws IOException {
        CommandRun sent = send(lines);
        assertThat(sent.exitCode()).as(sent.err()).isZero();
    }

    private CommandRun send(String... lines) throws IOException {
        Path file = Files.createTempFile(folder, "events", ".jsonl");
        return run("produce", "-f", Files.write(file, List.of(lines)).toString());
    }

    /** Runs a command that has to succeed. */
    private CommandRun done(String... args) {
        CommandRun run = run(args);
        assertThat(run.exitCode()).as(run.err()).isZero();
        return run;
    }

    /** Runs a command with the settings of the application, as {@code --config} would name them. */
    private CommandRun run(String... args) {
        List<String> all = new ArrayList<>(List.of(args));
        for (var setting : List.of(
                Settings.BOOTSTRAP_SERVERS,
                Settings.TOPICS_PREFIX,
                Settings.TOPICS_PARTITIONS,
                Settings.SCHEMA_REGISTRY_URL,
                Settings.API_LISTEN)) {
            all.add("--set");
            all.add(setting.key() + "=" + config.get(setting));
        }
        return CommandRun.of(all.toArray(String[]::new));
    }

    private JsonNode json(String... args) throws IOException {
        return new ObjectMapper().readTree(run(args).out());
    }
}
