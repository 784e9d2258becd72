package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.source.Source;
import dev.ebb.it.Await;
import dev.ebb.it.ShortStory;
import dev.ebb.runtime.kafka.AclPart;
import dev.ebb.runtime.kafka.AclPlan;
import dev.ebb.runtime.kafka.AclRule;
import dev.ebb.runtime.kafka.Answers;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.kafka.ConnectWorker;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.RunOutcome;
import dev.ebb.secured.Login;
import dev.ebb.secured.SecuredBroker;
import dev.ebb.serde.text.SourceJson;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rights that are printed, on a broker that gives no other: with them everything works, with one less it says so. */
@Tag("R-10")
@Timeout(240)
class LeastRightsIT {

    @TempDir
    private static Path folder;

    private static SecuredBroker broker;
    private static Admin admin;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void startBroker() throws IOException {
        broker = new SecuredBroker(folder);
        admin = broker.admin();
    }

    @AfterAll
    static void stopBroker() {
        broker.close();
    }

    @Test
    void shouldMakeTopicsWithTheRightsOfSetupAndWithNoneLess() {
        // given
        EbbConfig config = config("least-a", "setup", Map.of());
        List<AclBinding> rights = bindings(config, AclPart.SETUP, "setup");

        for (AclOperation missing : List.of(AclOperation.CREATE, AclOperation.ALTER_CONFIGS)) {
            // when
            List<AclBinding> fewer = rights.stream()
                    .filter(right -> right.entry().operation() != missing)
                    .toList();
            broker.grant(fewer);

            // then
            assertThatThrownBy(() -> new KafkaSession(config).topics(TopicAdmin::create))
                    .as(missing.name())
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("does not allow it")
                    .hasMessageContaining("ebb acls print");
            broker.revoke(fewer);
            if (missing == AclOperation.CREATE) {
                broker.grant(rights);
                assertThat(create(config)).isNotEmpty();
                broker.revoke(rights);
            }
        }
    }

    @Test
    @Tag("F-12")
    void shouldRunWithTheRightsOfRunAndRefuseWithOneLess() throws Exception {
        // given
        createTopics("least-b");
        Source source = source("least-b-shop");
        Source log = log("least-b-log");
        EbbConfig config = config(
                "least-b", "run", Map.of("api.listen", "127.0.0.1:" + freePort(), "sources.truncate.interval", "1s"));
        List<AclBinding> rights = bindings(config, AclPart.RUN, "run", Optional.empty(), List.of(source, log));
        List<AclBinding> fewer = rights.stream()
                .filter(right -> right.entry().operation() != AclOperation.DESCRIBE_CONFIGS)
                .toList();
        broker.grant(fewer);

        // when
        var observer = new Observer();
        RunOutcome outcome = new EbbApplication(config, observer).run();

        // then
        assertThat(outcome).isEqualTo(RunOutcome.REFUSED);
        assertThat(observer.said).anySatisfy(text -> assertThat(text).contains("does not allow it", "ebb acls print"));

        // when
        broker.grant(rights);
        running(config, observer, () -> {
            requireThatItServes(config, observer);
            requireThatASourceIsRead(config, source);
            requireThatALogIsCut(config, log, rights);
            requireThatDeletesAreProvedAndUndone(config);
        });

        // then
        requireThatSinksCanBeWatched(config);
        assertThat(broker.unused("run", rights)).isEmpty();
        broker.revoke(rights);
    }

    @ParameterizedTest
    @EnumSource(
            value = Login.class,
            names = {"CERTIFICATE", "TOKEN"})
    void shouldRunWithTheRightsOfRunHoweverItProvesWhoItIs(Login login) throws Exception {
        // given
        String name = "least-" + login.name().toLowerCase(Locale.ROOT);
        EbbConfig setup = config(login, name, "setup", Map.of("schema.registry.url", ""));
        List<AclBinding> ofSetup = bindings(setup, AclPart.SETUP, "setup");
        broker.grant(ofSetup);
        create(setup);
        broker.revoke(ofSetup);
        EbbConfig config =
                config(login, name, "run", Map.of("schema.registry.url", "", "api.listen", "127.0.0.1:" + freePort()));
        List<AclBinding> rights = bindings(config, AclPart.RUN, "run");
        broker.grant(rights);

        // when, then
        var observer = new Observer();
        running(config, observer, () -> requireThatItServes(config, observer));
        broker.revoke(rights);
    }

    @Test
    void shouldSayThatTheBrokerDoesNotKnowTheCertificate() {
        // given
        EbbConfig stranger = config(Login.CERTIFICATE, "least-d", "stranger", Map.of());

        // when, then
        assertThatThrownBy(() -> new KafkaSession(stranger).topics(TopicAdmin::create))
                .isInstanceOf(CommandFailure.class)
                .hasMessageContaining("does not accept the login")
                .hasMessageContaining("kafka.ssl.*");
    }

    /** The calls by which an instance with a mirror sees how far the sinks are; this one has no mirror. */
    private static void requireThatSinksCanBeWatched(EbbConfig config) {
        try (Admin client = new KafkaClients(config).admin()) {
            for (String sink : List.of("events", "executions", "policies", "audit")) {
                String group = "connect-" + config.get(Settings.APPLICATION_ID) + "-" + sink;
                assertThat(Answers.of(client.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()))
                        .isEmpty();
            }
        }
    }

    private static void running(EbbConfig config, Observer observer, Story story) throws Exception {
        EbbApplication application = new EbbApplication(config, observer);
        CompletableFuture<RunOutcome> running = CompletableFuture.supplyAsync(application::run);
        try {
            story.tell();
        } finally {
            application.stop();
        }
        assertThat(running.get(60, TimeUnit.SECONDS)).isEqualTo(RunOutcome.STOPPED);
    }

    /** Requests to an instance that runs. */
    private interface Story {

        void tell() throws Exception;
    }

    @Test
    void shouldRunAWorkerWithTheRightsOfConnectAndNotWithoutThoseOnItsOwnTopics() throws Exception {
        // given
        EbbConfig setup = createTopics("least-c");
        int rest = freePort();
        Path settings = workerSettings(rest);
        broker.grant(bindings(setup, AclPart.CONNECT, "connect"));

        // when
        Process refused = worker(settings);

        // then
        try {
            Await.until(
                    "a refusal", () -> Files.readString(workerLog()).contains("AuthorizationException") ? "" : "none");
        } finally {
            refused.destroyForcibly().waitFor();
        }

        // when
        Properties own = new Properties();
        try (var in = Files.newBufferedReader(settings)) {
            own.load(in);
        }
        broker.grant(bindings(setup, AclPart.CONNECT, "connect", Optional.of(ConnectWorker.of(own))));
        Process worker = worker(settings);

        // then
        try {
            requireThatItStarts("http://127.0.0.1:" + rest);
            requireThatASinkCanRead(config("least-c", "connect", Map.of()));
        } finally {
            worker.destroyForcibly();
        }
    }

    private void requireThatItStarts(String worker) throws InterruptedException {
        Await.until("the worker", () -> answers(worker + "/health") ? "" : Files.readString(workerLog()));
    }

    /** Calls of a sink on the broker: it reads in a group that is named after it, and notes how far it is. */
    private static void requireThatASinkCanRead(EbbConfig config) throws InterruptedException {
        Map<String, Object> settings = new HashMap<>(config.kafkaProperties());
        settings.put("bootstrap.servers", config.get(Settings.BOOTSTRAP_SERVERS));
        settings.put("group.id", "connect-" + config.get(Settings.APPLICATION_ID) + "-events");
        settings.put("auto.offset.reset", "earliest");
        try (var consumer = new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            consumer.subscribe(List.of(ConfiguredTopology.eventLog(config)));
            Await.until("partitions", () -> {
                consumer.poll(Duration.ofMillis(200));
                return consumer.assignment().isEmpty() ? "none" : "";
            });
            consumer.commitSync();
        }
    }

    private static Process worker(Path settings) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        Path.of("target", "ebb", "connect", "lib") + "/*",
                        "org.apache.kafka.connect.cli.ConnectDistributed",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(workerLog().toFile())
                .start();
    }

    private static Path workerLog() {
        return folder.resolve("worker.log");
    }

    private static Path workerSettings(int rest) throws IOException {
        Properties settings = new Properties();
        settings.putAll(broker.clientSettings(Login.SCRAM, "connect"));
        settings.put("group.id", "least-workers");
        settings.put("listeners", "http://127.0.0.1:" + rest);
        settings.put("plugin.discovery", "service_load");
        settings.put("key.converter", "org.apache.kafka.connect.json.JsonConverter");
        settings.put("value.converter", "org.apache.kafka.connect.json.JsonConverter");
        settings.put("offset.storage.partitions", "1");
        settings.put("status.storage.partitions", "1");
        for (String kept : List.of("config", "offset", "status")) {
            settings.put(kept + ".storage.topic", "least-workers." + kept);
            settings.put(kept + ".storage.replication.factor", "1");
        }
        return written(settings, "worker.properties");
    }

    private static Path written(Properties settings, String name) throws IOException {
        Path file = folder.resolve(name);
        try (var out = Files.newBufferedWriter(file)) {
            settings.store(out, null);
        }
        return file;
    }

    private boolean answers(String url) {
        try {
            HttpRequest get = HttpRequest.newBuilder(URI.create(url)).build();
            return http.send(get, BodyHandlers.ofString()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static void requireThatItServes(EbbConfig config, Observer observer) throws Exception {
        ShortStory story = story(config);
        Await.until("ready", () -> story.status("/health/ready") == 200 ? "" : "not ready: " + observer.said);
        story.begin();
        story.end();
        for (String read : List.of("/v1/rejected", "/v1/sweeps", "/v1/group")) {
            assertThat(story.status(read)).as(read).isEqualTo(200);
        }
        assertThat(admin.listTopics().names().get(10, TimeUnit.SECONDS))
                .containsAll(new ConfiguredTopology(config).changelogs());
    }

    /** All that is done with the checkpoints, the trash and the archive, and the settings that are asked for it. */
    private static void requireThatDeletesAreProvedAndUndone(EbbConfig config) throws Exception {
        ShortStory story = story(config);
        Await.until("the receipt", () -> text(story.body("/v1/receipts?stream=a"), "ebb-receipt/1"));
        assertThat(story.status("/v1/receipts/verification")).isEqualTo(200);
        assertThat(story.status("/v1/trash?stream=a")).isEqualTo(200);
        assertThat(story.send("POST", "/v1/undo?wait=20s", "{\"since\":1700000000000,\"reason\":\"by mistake\"}")
                        .body())
                .contains("\"extent\":\"ALL\",\"events\":1");
        assertThat(story.status("/v1/streams/a/events/1")).isEqualTo(200);
        String erase = "{\"where\":[\"id=1\"],\"case\":\"G-1\",\"reason\":\"request\"}";
        assertThat(story.send("POST", "/v1/erase?wait=20s", erase).body()).contains("\"eventsDeleted\":1");
        Await.until("the account", () -> text(story.body("/v1/erase/G-1"), "max.compaction.lag.ms"));
    }

    /** All that a source does: it is read, deletes a row, and is read from another place. */
    private static void requireThatASourceIsRead(EbbConfig config, Source source) throws Exception {
        ShortStory story = story(config);
        admin.createTopics(List.of(
                        new NewTopic(source.topic(), 1, (short) 1).configs(Map.of("cleanup.policy", "compact"))))
                .all()
                .get(10, TimeUnit.SECONDS);
        try (var producer = new KafkaClients(config).producer()) {
            byte[] value = "{\"at\": 1700000000000}".getBytes(UTF_8);
            producer.send(new ProducerRecord<>(source.topic(), "o".getBytes(UTF_8), value))
                    .get(10, TimeUnit.SECONDS);
        }
        String file = "{\"sources\": [" + SourceJson.write(source) + "], \"policies\": [{\"scope\":"
                + " \"namespace:orders\", \"anchor\": \"occurred\", \"maxAge\": \"1d\", \"mode\": \"enforce\","
                + " \"confirmed\": true}]}";
        assertThat(story.send("POST", "/v1/policies:apply", file).body()).contains("\"inForce\":true");
        TopicPartition partition = new TopicPartition(source.topic(), 0);
        Await.until("the tombstone", () -> {
            long end = admin.listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(10, TimeUnit.SECONDS)
                    .offset();
            return end > 1 ? "" : story.body("/v1/sources/orders");
        });
        for (String change : List.of("pause", "reset?to=earliest", "resume")) {
            assertThat(story.send("POST", "/v1/sources/orders/" + change, "").statusCode())
                    .as(change)
                    .isEqualTo(200);
        }
        Await.until("the source", () -> text(story.body("/v1/sources/orders"), "\"state\":\"reading\""));
    }

    /** The start of a log moves, unless the right to delete records is missing. */
    private static void requireThatALogIsCut(EbbConfig config, Source log, List<AclBinding> rights) throws Exception {
        ShortStory story = story(config);
        admin.createTopics(List.of(new NewTopic(log.topic(), 1, (short) 1)))
                .all()
                .get(10, TimeUnit.SECONDS);
        List<AclBinding> toDelete = rights.stream()
                .filter(right -> right.pattern().name().equals(log.topic())
                        && right.entry().operation() == AclOperation.DELETE)
                .toList();
        assertThat(toDelete).hasSize(1);
        broker.revoke(toDelete);
        try (var producer = new KafkaClients(config("least-b", SecuredBroker.ADMIN, Map.of())).producer()) {
            byte[] value = "{\"at\": 1700000000000}".getBytes(UTF_8);
            producer.send(new ProducerRecord<>(log.topic(), value)).get(10, TimeUnit.SECONDS);
        }
        String file = "{\"sources\": [" + SourceJson.write(log) + "], \"policies\": [{\"scope\":"
                + " \"namespace:lines\", \"anchor\": \"occurred\", \"maxAge\": \"1d\", \"mode\": \"enforce\","
                + " \"confirmed\": true}]}";
        assertThat(story.send("POST", "/v1/policies:apply", file).body()).contains("\"inForce\":true");
        Await.until(
                "the refusal",
                () -> text(
                        story.body("/v1/sources/lines"),
                        "the start of topic " + log.topic() + " stays where it is: Kafka does not allow it"));
        broker.grant(toDelete);
        TopicPartition partition = new TopicPartition(log.topic(), 0);
        Await.until("the cut", () -> {
            long start = admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                    .partitionResult(partition)
                    .get(10, TimeUnit.SECONDS)
                    .offset();
            return start == 1 ? "" : story.body("/v1/sources/lines");
        });
    }

    private static Source log(String topic) {
        String declaration = "{\"name\": \"lines\", \"topic\": \"" + topic + "\", \"as\": \"log\", \"stream\":"
                + " \"lines/all\", \"occurredAt\": {\"from\": \"value.at\", \"unit\": \"ms\"}, \"target\": \"truncate\"}";
        return SourceJson.read(declaration.getBytes(UTF_8)).source().orElseThrow();
    }

    private static Source source(String topic) {
        String declaration = "{\"name\": \"orders\", \"topic\": \"" + topic + "\", \"as\": \"table\", \"stream\":"
                + " \"orders/{key}\", \"occurredAt\": {\"from\": \"value.at\", \"unit\": \"ms\"}, \"target\":"
                + " {\"tombstones\": \"same\"}}";
        return SourceJson.read(declaration.getBytes(UTF_8)).source().orElseThrow();
    }

    private static ShortStory story(EbbConfig config) {
        return new ShortStory(URI.create(config.apiUrl()));
    }

    private static String text(String answer, String wanted) {
        return answer.contains(wanted) ? "" : answer;
    }

    private static EbbConfig createTopics(String name) {
        EbbConfig setup = config(name, "setup", Map.of());
        List<AclBinding> rights = bindings(setup, AclPart.SETUP, "setup");
        broker.grant(rights);
        create(setup);
        broker.revoke(rights);
        return setup;
    }

    private static List<String> create(EbbConfig config) {
        try (Admin client = new KafkaClients(config).admin()) {
            return new TopicAdmin(client, config).create();
        }
    }

    private static List<AclBinding> bindings(EbbConfig config, AclPart part, String user) {
        return bindings(config, part, user, Optional.empty());
    }

    private static List<AclBinding> bindings(
            EbbConfig config, AclPart part, String user, Optional<ConnectWorker> worker) {
        return bindings(config, part, user, worker, List.of());
    }

    private static List<AclBinding> bindings(
            EbbConfig config, AclPart part, String user, Optional<ConnectWorker> worker, List<Source> sources) {
        List<AclBinding> bindings = new ArrayList<>();
        for (AclRule rule : new AclPlan(config, worker, sources).rules()) {
            if (rule.part() == part) {
                rule.names().forEach(name -> rule.operations()
                        .forEach(operation -> bindings.add(new AclBinding(
                                new ResourcePattern(rule.type(), name, rule.pattern()),
                                new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW)))));
            }
        }
        assertThat(bindings).isNotEmpty().noneMatch(right -> right.pattern().resourceType() == ResourceType.CLUSTER);
        return bindings;
    }

    private static EbbConfig config(String name, String user, Map<String, String> flags) {
        return config(Login.SCRAM, name, user, flags);
    }

    private static EbbConfig config(Login login, String name, String user, Map<String, String> flags) {
        Map<String, String> all = new HashMap<>(flags);
        all.put("application.id", name);
        all.put("topics.prefix", name + ".");
        all.put("topics.partitions", "2");
        all.put("state.dir", folder.resolve("state").toString());
        all.put("sql.url", "");
        all.put("connect.urls", "");
        all.putIfAbsent("schema.registry.url", SharedStack.config(Map.of()).get(Settings.SCHEMA_REGISTRY_URL));
        broker.clientSettings(login, user)
                .forEach((key, value) -> all.put(key.equals("bootstrap.servers") ? key : "kafka." + key, value));
        return EbbConfig.load(new ConfigSources(null, Map.of(), all));
    }

    /** Observations, in order. */
    private static final class Observer implements LifecycleObserver {

        private final List<String> said = Collections.synchronizedList(new ArrayList<>());

        @Override
        public void refused(String reason) {
            said.add(reason);
        }

        @Override
        public void waiting(String reason) {
            said.add(reason);
        }

        @Override
        public void threadReplaced(ThreadFailure failure) {
            said.add(failure.toString());
        }

        @Override
        public void failed(Throwable failure) {
            said.add(failure.toString());
        }
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
