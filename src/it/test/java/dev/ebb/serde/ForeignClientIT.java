package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestBroker;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.DecodedPolicy;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.ConfluentSchemaRegistry;
import dev.ebb.serde.schemas.SchemaRefusedException;
import dev.ebb.serde.schemas.SchemaRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The real broker and the real registry, and clients that share no code with Ebb. */
@Timeout(300)
class ForeignClientIT {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String EVENTS = "events";
    private static final String POLICIES = "policies";

    @TempDir
    static Path dataDir;

    private static DevStack stack;
    private static SchemaRegistry registry;
    private static AvroRecords records;

    @BeforeAll
    static void start() throws Exception {
        stack = TestBroker.ofBuild()
                .into(TestStack.builder(dataDir).without(Service.APP, Service.CONNECT, Service.POSTGRES))
                .start();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
            admin.createTopics(List.of(new NewTopic(EVENTS, 1, (short) 1), new NewTopic(POLICIES, 1, (short) 1)))
                    .all()
                    .get();
        }
        registry = ConfluentSchemaRegistry.of(AvroSettings.of(Map.of(AvroSettings.URL, registryUrl())));
        records = AvroRecords.of(registry);
        records.prepare();
    }

    @AfterAll
    static void stop() {
        if (records != null) {
            records.close();
        }
        if (stack != null) {
            stack.close();
        }
    }

    @Test
    void shouldReadWhatANodeProgramProduces() throws Exception {
        // given
        NodeClient node = NodeClient.orSkip();

        // when
        node.produce(
                bootstrapServers(),
                registryUrl(),
                List.of(
                        NodeClient.record(EVENTS, "orders/eü", "dev.ebb.Event", fullEvent()),
                        withOwnSchema(),
                        NodeClient.record(EVENTS, "orders/eü", "dev.ebb.EventUpdate", update()),
                        NodeClient.record(POLICIES, "namespace:orders", "dev.ebb.RetentionPolicy", policy())));

        // then
        assertThat(consume(EVENTS, 3))
                .extracting(ForeignClientIT::read)
                .containsExactly(
                        new Decoded.OfEvent(expectedEvent()),
                        new Decoded.OfEvent(expectedEventOfOwnSchema()),
                        new Decoded.OfUpdate(expectedUpdate()));
        assertThat(consume(POLICIES, 1))
                .extracting(ForeignClientIT::readPolicy)
                .containsExactly(new DecodedPolicy.Policy(expectedPolicy()));
    }

    @Test
    @Tag("O-20")
    void shouldTellUnknownSchemasFromKnownOnesByTheRealRegistry() {
        // given
        byte[] bytes = records.event(expectedEvent());
        ByteBuffer.wrap(bytes).putInt(1, 987_654);

        // when
        Decoded decoded = known(() -> records.read(EVENTS, new RecordHeaders(), bytes), Decoded.Pending.class);

        // then
        assertThat(((Decoded.Bad) decoded).rejection().reason()).isEqualTo(RejectReason.UNKNOWN_SCHEMA);
    }

    @Test
    void shouldMakeTheRegistryRefuseASchemaThatWouldBreakReaders() {
        // given: a field more, and no default for what has been written without it
        String breaking = """
                {"type": "record", "name": "%s", "namespace": "dev.ebb", "fields": [
                  {"name": "scope", "type": "string"}, {"name": "stream", "type": "string"},
                  {"name": "id", "type": "string"}, {"name": "needed", "type": "string"}]}""";

        for (String name : List.of("Event", "EventUpdate", "RetentionPolicy")) {
            // when / then
            assertThatThrownBy(() -> registry.register("dev.ebb." + name, breaking.formatted(name)))
                    .isInstanceOf(SchemaRefusedException.class);
        }
    }

    @Test
    void shouldGiveEveryStartTheSameIds() {
        try (AvroRecords again = AvroRecords.of(AvroSettings.of(Map.of(AvroSettings.URL, registryUrl())))) {
            // when
            again.prepare();

            // then
            assertThat(again.event(expectedEvent())).isEqualTo(records.event(expectedEvent()));
        }
    }

    private static Map<String, Object> fullEvent() {
        return Map.ofEntries(
                Map.entry("stream", "orders/eü"),
                Map.entry("id", "e-1"),
                Map.entry("type", "order"),
                Map.entry("status", "pending"),
                Map.entry("occurredAt", 1_769_850_000_123L),
                Map.entry("ttlSeconds", 60),
                Map.entry("metadata", Map.of("käy", "välue")),
                Map.entry("contentType", "text/plain"),
                Map.entry("payload", "höllo"));
    }

    private static Event expectedEvent() {
        return new Event(
                new StreamName("orders/eü"),
                new EventId("e-1"),
                "order",
                "pending",
                1_769_850_000_123L,
                null,
                OwnTtl.of(60L, null, false),
                0,
                null,
                Map.of("käy", "välue"),
                "text/plain",
                "höllo".getBytes(StandardCharsets.UTF_8));
    }

    /** Record of a team that needs little of our schema and has fields to add. */
    private static Map<String, Object> withOwnSchema() throws Exception {
        String schema = """
                {"type": "record", "name": "Event", "namespace": "dev.ebb", "fields": [
                  {"name": "colour", "type": "string", "default": "red"},
                  {"name": "id", "type": "string"},
                  {"name": "stream", "type": "string"},
                  {"name": "noExpiration", "type": "boolean", "default": false}]}""";
        return Map.of(
                "topic",
                EVENTS,
                "key",
                "lamps",
                "subject",
                "dev.ebb.Event",
                "schema",
                new ObjectMapper().readValue(schema, Map.class),
                "compatibility",
                "BACKWARD_TRANSITIVE",
                "value",
                Map.of("stream", "lamps", "id", "l-1", "colour", "green", "noExpiration", true));
    }

    private static Event expectedEventOfOwnSchema() {
        return new Event(
                new StreamName("lamps"),
                new EventId("l-1"),
                "",
                null,
                null,
                null,
                OwnTtl.INFINITE,
                0,
                null,
                Map.of(),
                null,
                new byte[0]);
    }

    private static Map<String, Object> update() {
        return Map.of("stream", "orders/eü", "id", "e-1", "status", "completed");
    }

    private static EventUpdate expectedUpdate() {
        return new EventUpdate(new StreamName("orders/eü"), new EventId("e-1"), "completed", null, null, null);
    }

    private static Map<String, Object> policy() {
        return Map.of(
                "scope", "namespace:orders",
                "maxAge", "30d",
                "maxCount", 500,
                "maxBytes", "unlimited",
                "anchor", "occurred",
                "allowInfiniteTtl", true);
    }

    private static RetentionPolicy expectedPolicy() {
        return RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(Duration.ofDays(30).toMillis()))
                .maxCount(Limit.of(500))
                .set(PolicyField.MAX_BYTES, Limit.NONE)
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .build();
    }

    private static Decoded read(ConsumerRecord<String, byte[]> record) {
        return known(() -> records.read(record.topic(), record.headers(), record.value()), Decoded.Pending.class);
    }

    private static DecodedPolicy readPolicy(ConsumerRecord<String, byte[]> record) {
        return known(() -> records.readPolicy(record.key(), record.value()), DecodedPolicy.Pending.class);
    }

    private static <T> T known(Supplier<T> answer, Class<? extends T> pending) {
        long deadline = System.nanoTime() + SOON.toNanos();
        T current = answer.get();
        while (pending.isInstance(current)) {
            assertThat(System.nanoTime())
                    .as("waiting for more than %s", current)
                    .isLessThan(deadline);
            Thread.onSpinWait();
            current = answer.get();
        }
        return current;
    }

    private static List<ConsumerRecord<String, byte[]>> consume(String topic, int count) {
        Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers(), "auto.offset.reset", "earliest");
        long deadline = System.nanoTime() + SOON.toNanos();
        List<ConsumerRecord<String, byte[]>> consumed = new ArrayList<>();
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(List.of(new TopicPartition(topic, 0)));
            while (consumed.size() < count) {
                assertThat(System.nanoTime())
                        .as("%s of %s", consumed.size(), count)
                        .isLessThan(deadline);
                consumer.poll(Duration.ofMillis(100)).forEach(consumed::add);
            }
        }
        return consumed;
    }

    private static String bootstrapServers() {
        return stack.endpoints().bootstrapServers();
    }

    private static String registryUrl() {
        return stack.endpoints().registryUrl();
    }
}
