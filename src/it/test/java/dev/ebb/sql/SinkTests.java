package dev.ebb.sql;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.devstack.DevStack;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.it.OwnServices;
import dev.ebb.model.LogRecords;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.stacks.Endpoints;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

/** From its topic through a real sink into a real PostgreSQL; every kind of sink passes these tests. */
@Tag("A-14")
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
abstract class SinkTests {

    private static final Duration SOON = Duration.ofSeconds(90);
    private static final long T0 = Instant.parse("2026-11-21T10:00:00.123Z").toEpochMilli();
    private static final int EVENT_PARTITIONS = 4;

    private final String sink;
    private final boolean isOfLog;
    private final MirrorRows rows = new MirrorRows();
    private OwnServices services;
    private DevStack stack;
    private SqlMirror mirror;
    private KafkaProducer<byte[], byte[]> producer;
    private final List<Future<RecordMetadata>> sent = new ArrayList<>();

    /** @param isOfLog true if the sink reads the log of the events; false if it reads their rows as JSON */
    SinkTests(String sink, boolean isOfLog) {
        this.sink = sink;
        this.isOfLog = isOfLog;
    }

    @BeforeAll
    void start() throws Exception {
        services = OwnServices.begin();
        stack = services.stack();
        createTopics();
        mirror = SqlMirror.start(settings(stack.endpoints()));
        producer = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        stack.endpoints().bootstrapServers(),
                        "transactional.id",
                        services.name(),
                        "max.request.size",
                        2_000_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        producer.initTransactions();
        await("every connector runs", () -> states().stream().allMatch(ConnectorStatus.RUNNING::equals));
    }

    @AfterAll
    void stop() throws Exception {
        if (producer != null) {
            producer.close();
            mirror.close();
        }
        if (services != null) {
            services.close();
        }
    }

    /** A worker could take these names for numbers, truths and dates. */
    @Test
    void shouldKeepNamesThatLookLikeSomethingElse() throws Exception {
        List<String> names = List.of("007", "1.0", "true", "null", "[1]", "2026-01-01", "{}");

        // when
        inTransaction(() -> names.forEach(name -> upsert(event(name, "odd name", "1"))));
        awaitNoLag();

        // then
        assertThat(texts("SELECT stream FROM event WHERE event_id = 'odd name'"))
                .containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void shouldKeepTheLastOfWhatHappenedToEachKey() throws Exception {
        // when
        inTransaction(() -> {
            upsert(event("seq", "upsert", "1"));
            upsert(event("seq", "upsert", "2"));
            upsert(event("seq", "deleted", "1"));
            delete(event("seq", "deleted", "1"));
            upsert(event("seq", "back", "1"));
            delete(event("seq", "back", "1"));
            upsert(event("seq", "back", "2"));
            delete(event("seq", "never there", "1"));
        });
        inTransaction(() -> upsert(event("seq", "later", "1")));
        awaitNoLag();
        inTransaction(() -> delete(event("seq", "later", "1")));
        awaitNoLag();

        // then
        assertThat(texts("SELECT event_id || '=' || type FROM event WHERE stream = 'seq'"))
                .containsExactlyInAnyOrder("upsert=2", "back=2");
    }

    @Test
    void shouldBringEveryValueUnchanged() throws Exception {
        // given
        String longName = "é".repeat(127) + "x";
        byte[] payload = new byte[700_000];
        Arrays.fill(payload, (byte) 0xFE);
        Event full = new Event(
                new StreamName("all/😀 \"q\" \\ 'x'; --"),
                new EventId(longName),
                "a\u0000b 😀\n",
                "Done",
                T0 - 1,
                T0 + 1,
                OwnTtl.of(7L, Long.MAX_VALUE, false),
                0,
                "",
                Map.of("k😀", "\u0000", "", "x"),
                "text/plain",
                payload);

        // when
        inTransaction(() -> upsert(new StoredEvent(full, T0, 0, false)));
        awaitNoLag();

        // then
        assertThat(texts("SELECT concat_ws('|', stream, event_id, namespace, type, status, terminal,"
                        + " (extract(epoch FROM stored_at) * 1000)::bigint, (extract(epoch FROM occurred_at) * 1000)::bigint,"
                        + " (extract(epoch FROM completed_at) * 1000)::bigint, ttl_seconds,"
                        + " to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS'), correlation_id = '',"
                        + " metadata = '{\"k😀\": \"\uFFFD\", \"\": \"x\"}', length(payload), md5(payload), size_bytes)"
                        + " FROM event WHERE namespace = 'all'"))
                .containsExactly(String.join(
                        "|",
                        full.stream().value(),
                        longName,
                        "all",
                        "a\uFFFDb 😀\n",
                        "Done",
                        "t",
                        Long.toString(T0),
                        Long.toString(T0 - 1),
                        Long.toString(T0 + 1),
                        "7",
                        "9999-12-31 23:59:59.999",
                        "t",
                        "t",
                        "700000",
                        md5(payload),
                        Long.toString(full.sizeBytes())));
    }

    @Test
    void shouldKeepNullsAndEmptyTextsApart() throws Exception {
        // when
        inTransaction(() -> {
            upsert(event("nulls", "null", "", null));
            upsert(event("nulls", "empty", "", ""));
        });
        awaitNoLag();

        // then
        assertThat(texts("SELECT event_id || ':' || coalesce(status, 'null') FROM event WHERE stream = 'nulls'"
                        + " AND correlation_id IS NULL AND ttl_seconds IS NULL AND expires_at IS NULL"))
                .containsExactlyInAnyOrder("null:null", "empty:");
    }

    @Test
    void shouldLeaveOutWhatWasAborted() throws Exception {
        // when
        producer.beginTransaction();
        upsert(event("aborted", "a", "1"));
        producer.flush();
        producer.abortTransaction();
        inTransaction(() -> upsert(event("committed", "a", "1")));
        awaitNoLag();

        // then
        assertThat(texts("SELECT stream FROM event WHERE stream IN ('aborted', 'committed')"))
                .containsExactly("committed");
    }

    @Test
    @Tag("A-13")
    void shouldTakeARowForWhichThereIsNoPartition() throws Exception {
        // given
        StoredEvent future = at(
                event("far", "a", "1"),
                Instant.parse("2099-01-01T00:00:00.001Z").toEpochMilli());

        // when
        inTransaction(() -> upsert(future));
        awaitNoLag();

        // then
        assertThat(texts("SELECT tableoid::regclass FROM event WHERE stream = 'far'"))
                .containsExactly("event_default");

        // when
        inTransaction(() -> delete(future));
        awaitNoLag();

        // then
        assertThat(texts("SELECT event_id FROM event WHERE stream = 'far'")).isEmpty();
    }

    @Test
    void shouldMirrorPoliciesAndAuditRecords() throws Exception {
        // given
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.stream("a|b \"c\"")).maxAge(Limit.NONE).build();
        AuditRecord audit = new AuditRecord(
                "audit-1",
                Origin.ofSweep("sweep-1"),
                new StreamName("s"),
                RemovalCause.MAX_AGE,
                "*",
                -1,
                List.of("e\"1", "e2"),
                7,
                T0,
                T0,
                T0);

        // when
        inTransaction(() -> {
            send("policies", 0, rows.policyKey(policy.scope()), rows.policyRow(policy, 3L, false, T0));
            send("policies", 0, rows.policyKey(Scope.ALL), null);
            send("audit", 0, rows.auditKey("audit-1"), rows.auditRow(audit));
            send("audit", 0, rows.auditKey("audit-1"), rows.auditRow(audit));
        });
        awaitNoLag();

        // then
        assertThat(texts("SELECT version || ' ' || max_age_ms || ' ' || (policy ->> 'maxAge') FROM retention_policy"
                        + " WHERE scope = 'stream:a|b \"c\"'"))
                .containsExactly("3 9223372036854775807 unlimited");
        assertThat(texts("SELECT events || ' ' || (policy_version IS NULL) FROM retention_audit"
                        + " WHERE stream = 's' AND event_ids @> '[\"e\\\"1\"]'"))
                .containsExactly("2 true");
    }

    @Test
    void shouldMirrorExecutionsAndWhatEndsThem() throws Exception {
        // given
        StreamName stream = new StreamName("jobs/😀");
        Execution running = new Execution(1, "running", false, T0, null);
        Execution done = new Execution(1, "completed", true, T0, T0 + 1);

        // when
        inTransaction(() -> {
            send("executions", 3, rows.executionKey(stream, 1), rows.executionRow(stream, running, null));
            send(
                    "executions",
                    3,
                    rows.executionKey(stream, 1),
                    rows.executionRow(stream, done, new StreamName("jobs/parent")));
            send("executions", 3, rows.executionKey(stream, 2), rows.executionRow(stream, running, null));
            send("executions", 3, rows.executionKey(stream, 2), null);
        });
        awaitNoLag();

        // then
        assertThat(texts("SELECT concat_ws(' ', execution, status, terminal, parent,"
                        + " (extract(epoch FROM started_at) * 1000)::bigint,"
                        + " (extract(epoch FROM completed_at) * 1000)::bigint) FROM execution"
                        + " WHERE stream = 'jobs/😀'"))
                .containsExactly("1 completed t jobs/parent " + T0 + " " + (T0 + 1));
    }

    @Test
    @Tag("I-7")
    void shouldGoOnByItselfWhenTheDatabaseIsBack() throws Exception {
        // given
        long restarts = restarts();

        // when
        stack.postgres().stop();
        inTransaction(() -> upsert(event("outage", "a", "1")));
        await("the lag is seen", () -> mirror.lags().getOrDefault(services.name() + "-events", 0L) == 1);
        stack.postgres().start();
        awaitNoLag();

        // then
        assertThat(texts("SELECT event_id FROM event WHERE stream = 'outage'")).containsExactly("a");
        assertThat(restarts()).isEqualTo(restarts);
    }

    @Test
    @Tag("I-7")
    void shouldLoseNothingWhenConnectIsKilled() throws Exception {
        // given
        inTransaction(() -> {
            for (int i = 0; i < 3000; i++) {
                upsert(event("killed/" + i % 50, "e" + i, "1"));
            }
        });

        // when
        stack.connect().kill();
        inTransaction(() -> delete(event("killed/7", "e7", "1")));
        await("Connect is away", () -> states().contains(ConnectorStatus.UNREACHABLE));
        stack.connect().start();
        awaitNoLag();

        // then
        assertThat(texts("SELECT count(*) FROM event WHERE namespace = 'killed'"))
                .containsExactly("2999");
    }

    @Test
    @Tag("I-7")
    void shouldCommitAgainWhatTheDatabaseHasWhenACommitIsLost() throws Exception {
        // given
        inTransaction(() -> upsert(event("uncommitted", "a", "1")));
        awaitNoLag();

        // when
        connector("PUT", "/stop");
        await("it has stopped", () -> connector("GET", "/status").contains("STOPPED"));
        connector("DELETE", "/offsets");
        connector("PUT", "/resume");
        awaitNoLag();

        // then
        assertThat(texts("SELECT event_id FROM event WHERE stream = 'uncommitted'"))
                .containsExactly("a");
    }

    @Test
    void shouldRestartAFailedTaskUntilItsReasonIsGone() throws Exception {
        // given
        execute("ALTER TABLE event RENAME TO event_elsewhere");

        // when
        inTransaction(() -> upsert(event("failed", "a", "1")));
        await("the task has failed", () -> states().contains(ConnectorStatus.FAILED));
        await("it was restarted", () -> restarts() > 0);
        execute("ALTER TABLE event_elsewhere RENAME TO event");
        await("it runs again", () -> states().stream().allMatch(ConnectorStatus.RUNNING::equals));
        awaitNoLag();

        // then
        assertThat(texts("SELECT event_id FROM event WHERE stream = 'failed'")).containsExactly("a");
    }

    private void createTopics() throws Exception {
        try (Admin admin = admin()) {
            List<NewTopic> topics = List.of(
                    new NewTopic(isOfLog ? log() : services.topic("mirror.events"), EVENT_PARTITIONS, (short) 1)
                            .configs(Map.of("max.message.bytes", "2000000")),
                    new NewTopic(services.topic("mirror.executions"), EVENT_PARTITIONS, (short) 1),
                    new NewTopic(services.topic("mirror.policies"), 1, (short) 1),
                    new NewTopic(services.topic("mirror.audit"), 1, (short) 1));
            admin.createTopics(topics).all().get();
        }
    }

    private Admin admin() {
        return Admin.create(
                Map.<String, Object>of("bootstrap.servers", stack.endpoints().bootstrapServers()));
    }

    private static ConnectAccess connect(Endpoints endpoints) {
        return new ConnectAccess(List.of(URI.create(endpoints.connectUrl())), Optional.empty(), Optional.empty());
    }

    private MirrorSettings settings(Endpoints endpoints) {
        return new MirrorSettings(
                services.name(),
                services.topic(""),
                new SqlSettings(endpoints.jdbcUrl(), endpoints.sqlUser(), endpoints.sqlPassword(), Optional.empty()),
                Optional.of(connect(endpoints)),
                sink,
                !isOfLog,
                log(),
                Optional.empty(),
                Map.of("bootstrap.servers", endpoints.bootstrapServers()));
    }

    /** Ends when readers see it: the markers of a transaction are written after its commit has been answered. */
    private void inTransaction(Runnable sends) throws Exception {
        sent.clear();
        producer.beginTransaction();
        sends.run();
        producer.commitTransaction();
        Map<TopicPartition, Long> last = new HashMap<>();
        for (Future<RecordMetadata> record : sent) {
            RecordMetadata written = record.get();
            last.merge(new TopicPartition(written.topic(), written.partition()), written.offset(), Math::max);
        }
        try (Admin admin = admin()) {
            for (var record : last.entrySet()) {
                await("the transaction is visible", () -> end(admin, record.getKey()) > record.getValue());
            }
        }
    }

    private static long end(Admin admin, TopicPartition partition) throws Exception {
        var committed = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
        return admin.listOffsets(Map.of(partition, OffsetSpec.latest()), committed)
                .partitionResult(partition)
                .get()
                .offset();
    }

    private void upsert(StoredEvent event) {
        if (isOfLog) {
            sent.add(producer.send(LogRecords.put(log(), partition(event), event)));
        } else {
            send("events", partition(event), key(event), rows.eventRow(event));
        }
    }

    private void delete(StoredEvent event) {
        if (isOfLog) {
            StreamName stream = event.event().stream();
            String id = event.event().id().value();
            sent.add(producer.send(LogRecords.removal(log(), partition(event), stream, event.storedAt(), id)));
        } else {
            send("events", partition(event), key(event), null);
        }
    }

    private String log() {
        return services.name() + "-events-changelog";
    }

    private byte[] key(StoredEvent event) {
        return rows.eventKey(
                event.storedAt(),
                event.event().stream().value(),
                event.event().id().value());
    }

    private static int partition(StoredEvent event) {
        return Math.floorMod(event.event().stream().hashCode(), EVENT_PARTITIONS);
    }

    private void send(String topic, int partition, byte[] key, byte @Nullable [] value) {
        sent.add(producer.send(new ProducerRecord<>(services.topic("mirror." + topic), partition, key, value)));
    }

    /** Asks Connect for something of the connector of events, and returns its answer. */
    private String connector(String method, String path) throws Exception {
        URI uri = URI.create(stack.endpoints().connectUrl() + "/connectors/" + services.name() + "-events" + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .method(method, BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
        return response.body();
    }

    private List<String> states() {
        return mirror.connectors().stream().map(ConnectorStatus::state).toList();
    }

    private long restarts() {
        return mirror.connectors().stream().mapToLong(ConnectorStatus::restarts).sum();
    }

    /** A lag measured before the last record was committed says nothing, so a second measurement is awaited. */
    private void awaitNoLag() throws Exception {
        try (MirrorLag lag = SinkWatch.of(
                        settings(stack.endpoints()), connect(stack.endpoints()), SinkChoice.named(sink))
                .lag()) {
            await("nothing is left to mirror", () -> {
                lag.measure();
                return lag.lags().values().stream().allMatch(left -> left == 0);
            });
        }
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + SOON.toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            Thread.sleep(50);
        }
    }

    private static StoredEvent event(String stream, String id, String type) {
        return event(stream, id, type, "done");
    }

    private static StoredEvent event(String stream, String id, String type, @Nullable String status) {
        Event event = new Event(
                new StreamName(stream),
                new EventId(id),
                type,
                status,
                T0,
                T0,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                null,
                "payload".getBytes(UTF_8));
        return new StoredEvent(event, T0, 0, false);
    }

    private static StoredEvent at(StoredEvent event, long storedAt) {
        return new StoredEvent(event.event(), storedAt, 0, false);
    }

    private static String md5(byte[] bytes) throws Exception {
        return java.util.HexFormat.of()
                .formatHex(java.security.MessageDigest.getInstance("MD5").digest(bytes));
    }

    private List<String> texts(String query) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = services.sql();
                var statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                texts.add(result.getString(1));
            }
        }
        return texts;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = services.sql();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
