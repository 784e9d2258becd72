package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.AvroStart;
import dev.ebb.serde.schemas.BackgroundSchemas;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.schemas.EbbAvroSerializer;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.serde.schemas.SchemaRegistry;
import dev.ebb.serde.schemas.WaitingSchemas;
import dev.ebb.serde.schemas.WireFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class AvroRecordsTest {

    private static final StreamName STREAM = new StreamName("orders/eu-1");
    private static final EventId ID = new EventId("e-1");
    private static final Event PLAIN =
            new Event(STREAM, ID, "", null, null, null, OwnTtl.NONE, 0, null, Map.of(), null, new byte[0]);

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final AvroRecords records = AvroClasses.records(
            registry,
            new BackgroundSchemas.Patience(
                    Duration.ofMillis(1),
                    Duration.ofMillis(5),
                    Duration.ofMillis(5),
                    Duration.ofMillis(200),
                    Duration.ofMillis(200)));

    @BeforeEach
    void prepare() {
        records.prepare();
    }

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    void shouldReadEveryFieldOfAnEventThatItWrote() {
        // given
        Event event = new Event(
                STREAM,
                ID,
                "order",
                "Pending",
                1L,
                2L,
                OwnTtl.of(3L, 4L, false),
                5,
                "c",
                Map.of("ключ", "значение", "", ""),
                "text/plain",
                "\0höl".getBytes(StandardCharsets.UTF_8));

        // when
        Decoded decoded = read(records.event(event));

        // then
        assertThat(decoded).isEqualTo(new Decoded.OfEvent(event));
    }

    /** A schema may name itself, and a stack ends somewhere, whatever deserializer the settings name. */
    @Test
    @Tag("O-20")
    void shouldRejectARecordThatIsNestedTooDeeply() {
        // given
        Deserializer<Object> recursive = (topic, bytes) -> {
            throw new StackOverflowError();
        };
        try (AvroRecords theirs = new AvroRecords(recursive, (topic, value) -> new byte[0], new AvroStart(registry))) {

            // then
            assertThat(theirs.read("ebb.events", new RecordHeaders(), new byte[] {1}))
                    .isEqualTo(new Decoded.Bad(new Rejection(RejectReason.UNDECODABLE, "it is nested too deeply")));
        }
    }

    @Test
    void shouldReadAnEventThatHasNothingButItsNames() {
        assertThat(read(records.event(PLAIN))).isEqualTo(new Decoded.OfEvent(PLAIN));
    }

    @Test
    void shouldReadEveryFieldOfAnUpdateThatItWrote() {
        // given
        EventUpdate update = new EventUpdate(STREAM, ID, "", 7L, OwnTtl.INFINITE, Map.of("a", "b"));

        // when
        Decoded decoded = read(records.update(update));

        // then
        assertThat(decoded).isEqualTo(new Decoded.OfUpdate(update));
    }

    @Test
    @Tag("M-2")
    void shouldLeaveWhatAnUpdateDoesNotName() {
        // given
        EventUpdate update = new EventUpdate(STREAM, ID, null, null, null, null);

        // when
        Decoded decoded = read(records.update(update));

        // then
        assertThat(decoded).isEqualTo(new Decoded.OfUpdate(update));
    }

    @Test
    @Tag("M-2")
    void shouldTakeBackOwnTtlWhenAnUpdateNamesOnlyThatItExpires() {
        // given
        GenericRecord update = new GenericData.Record(EbbSchemas.EVENT_UPDATE);
        update.put("stream", "s");
        update.put("id", "i");
        update.put("noExpiration", false);

        // when
        Decoded decoded = read(records.encode(update));

        // then
        assertThat(((Decoded.OfUpdate) decoded).update().ttl()).isEqualTo(OwnTtl.NONE);
    }

    @Test
    void shouldWriteConfluentsWireFormat() {
        // when
        byte[] bytes = records.update(new EventUpdate(new StreamName("s"), new EventId("ab"), null, null, null, null));

        // then: zero, id 2 in four bytes, "s", "ab", six times the first branch of a union
        assertThat(bytes).containsExactly(0, 0, 0, 0, 2, 2, 's', 4, 'a', 'b', 0, 0, 0, 0, 0, 0);
    }

    @Test
    void shouldReadPolicyAndMarkThatItWrote() {
        // given
        RetentionPolicy policy = RetentionPolicy.of(Scope.namespace("orders"))
                .maxAge(Limit.of(1500))
                .maxCount(Limit.of(10))
                .set(PolicyField.MAX_BYTES, Limit.NONE)
                .anchor(Anchor.OCCURRED)
                .set(PolicyField.MIN_TTL, Limit.NONE)
                .set(PolicyField.MAX_TTL, Limit.of(86_400_000))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .intervalMs(2000L)
                .set(PolicyField.PATTERN, "cache")
                .enabled(true)
                .updatedBy("anna")
                .reason("why not")
                .build();

        // when
        DecodedPolicy decoded = records.readPolicy("namespace:orders", records.policy(policy));
        DecodedPolicy mark = records.readPolicy("gate", records.mark(42, "schema 7", List.of()));
        DecodedPolicy clean = records.readPolicy("gate", records.mark(-1, null, List.of()));
        List<WaitingPolicy> waiting = List.of(
                new WaitingPolicy(PolicyKey.of(Scope.ALL), 4, "", 5, "why", null),
                new WaitingPolicy(PolicyKey.ofHold("c"), 6, "otto", 7, "because", new BrakeFinding(8, true, 9)),
                new WaitingPolicy(PolicyKey.ofHold("d"), 6, "otto", 7, "because", new BrakeFinding(8, true, 9)),
                new WaitingPolicy(PolicyKey.ofHold("d"), 8, "otto", 7, "because", new BrakeFinding(8, true, 9)));
        assertThat(records.readPolicy("gate", records.mark(3, null, waiting)))
                .isEqualTo(new DecodedPolicy.Mark(3, null, waiting));

        // then
        assertThat(decoded).isEqualTo(new DecodedPolicy.Policy(policy));
        assertThat(mark).isEqualTo(new DecodedPolicy.Mark(42, "schema 7", List.of()));
        assertThat(clean).isEqualTo(new DecodedPolicy.Mark(-1, null, List.of()));
    }

    @Test
    @Tag("O-8")
    void shouldSayOnceWhatIsTheSameForAWholeFileThatWaits() {
        // given
        List<WaitingPolicy> waiting = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            PolicyKey key = PolicyKey.of(Scope.stream("orders/customer-" + i));
            waiting.add(new WaitingPolicy(key, 70_000, "otto", 7, "it would delete much", null));
        }

        // when
        byte[] mark = records.mark(3, null, waiting);

        // then
        assertThat(mark.length).isLessThan(5000 * 40);
        assertThat(records.readPolicy("gate", mark)).isEqualTo(new DecodedPolicy.Mark(3, null, waiting));
    }

    @Test
    @Tag("M-11")
    void shouldNameEveryFaultOfAPolicy() {
        // given
        GenericRecord policy = new GenericData.Record(EbbSchemas.RETENTION_POLICY);
        policy.put("scope", "stream:a");
        policy.put("maxAge", "soon");
        policy.put("maxCount", 0L);
        policy.put("maxBytes", "many");
        policy.put("anchor", "birth");
        policy.put("minTtl", "-5m");
        policy.put("interval", "0s");
        policy.put("pattern", "cache");

        // when
        DecodedPolicy decoded = records.readPolicy("stream:b", records.encode(policy));

        // then
        DecodedPolicy.Bad bad = (DecodedPolicy.Bad) decoded;
        assertThat(bad.rejection().reason()).isEqualTo(RejectReason.BAD_POLICY);
        assertThat(bad.rejection().detail())
                .contains("maxAge: 'soon' is not a duration")
                .contains("maxCount: must be positive, was 0")
                .contains("maxBytes: must be a whole number or 'unlimited', was 'many'")
                .contains("anchor: must be stored, occurred or completed, was 'birth'")
                .contains("minTtl: must be positive, was -5m")
                .contains("interval: must be positive")
                .contains("pattern: is for namespace scopes only")
                .contains("scope: is 'stream:a', but the record's key is 'stream:b'");
    }

    @Test
    @Tag("M-11")
    void shouldRefuseAPolicyOfUnknownScopeKindAndOneWithoutScope() {
        assertThat(policyFault("galaxy:x", "galaxy:x")).startsWith("scope: ").contains("galaxy:x");
        assertThat(policyFault("*", "")).startsWith("scope: ");
    }

    @Test
    @Tag("M-11")
    void shouldRefuseAFieldThatItDoesNotKnowIfItHasAValue() {
        // given
        Schema newer = with(EbbSchemas.RETENTION_POLICY, "colour", "[\"null\",\"long\"]", "null");
        GenericRecord without = new GenericData.Record(newer);
        without.put("scope", "*");
        without.put("maxCount", 5L);
        GenericRecord with = new GenericData.Record(newer);
        with.put("scope", "*");
        with.put("colour", 5L);
        byte[] known = knownBytes("*", without);

        // when
        DecodedPolicy ignored = records.readPolicy("*", known);
        DecodedPolicy refused = records.readPolicy("*", records.encode(with));

        // then
        assertThat(ignored).isInstanceOf(DecodedPolicy.Policy.class);
        assertThat(((DecodedPolicy.Bad) refused).rejection().detail()).isEqualTo("colour: unknown field 'colour'");
    }

    @Test
    @Tag("M-18")
    void shouldReadAHoldThatItWrote() {
        // given
        Hold full = new Hold("LIT-1", Scope.namespace("n"), "why", "eva", 5);
        Hold least = new Hold("LIT-2", Scope.ALL, "", "", 0);

        // then
        assertThat(records.readPolicy("hold:LIT-1", records.hold(full))).isEqualTo(new DecodedPolicy.OfHold(full));
        assertThat(records.readPolicy("hold:LIT-2", records.hold(least))).isEqualTo(new DecodedPolicy.OfHold(least));
        assertThat(records.readPolicy("hold:LIT-3", records.hold(full))).isInstanceOf(DecodedPolicy.Bad.class);
        assertThat(records.readPolicy("stream:s", records.hold(full))).isInstanceOf(DecodedPolicy.Bad.class);
    }

    @Test
    void shouldReadAnOlderSchemaWithItsDefaults() {
        // given
        Schema older = SchemaBuilder.record("Event")
                .namespace("dev.ebb")
                .fields()
                .requiredString("id")
                .requiredString("stream")
                .optionalInt("ttlSeconds")
                .endRecord();
        GenericRecord event = new GenericData.Record(older);
        event.put("id", "e-1");
        event.put("stream", "orders/eu-1");
        event.put("ttlSeconds", 60);

        // when
        Decoded decoded = readKnown(event);

        // then
        assertThat(((Decoded.OfEvent) decoded).event())
                .isEqualTo(new Event(
                        STREAM,
                        ID,
                        "",
                        null,
                        null,
                        null,
                        OwnTtl.of(60L, null, false),
                        0,
                        null,
                        Map.of(),
                        null,
                        new byte[0]));
    }

    @Test
    void shouldReadANewerSchemaAndPassOverItsFields() {
        // given
        Schema newer = with(EbbSchemas.EVENT, "shard", "{\"type\":\"array\",\"items\":\"string\"}", "[]");
        GenericRecord event = new GenericData.Record(newer);
        EventRecords.record(PLAIN)
                .getSchema()
                .getFields()
                .forEach(field ->
                        event.put(field.name(), EventRecords.record(PLAIN).get(field.pos())));
        event.put("shard", List.of("a"));

        // when
        Decoded decoded = readKnown(event);

        // then
        assertThat(decoded).isEqualTo(new Decoded.OfEvent(PLAIN));
    }

    @Test
    void shouldReadAForeignSchemaOnlyIfItSaysThatItIsOurs() {
        // given
        Schema foreign = new Schema.Parser().parse("""
            {"type": "record", "name": "Event", "namespace": "com.acme", "fields": [
              {"name": "stream", "type": "string"},
              {"name": "key", "type": "string", "aliases": ["id"]}]}\
            """);
        Schema aliased = new Schema.Parser()
                .parse(foreign.toString().replace("\"fields\"", "\"aliases\": [\"dev.ebb.Event\"], \"fields\""));

        // when
        Decoded refused = readKnown(named(foreign));
        Decoded read = readKnown(named(aliased));

        // then
        assertThat(reason(refused)).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(read).isInstanceOf(Decoded.OfEvent.class);
        assertThat(((Decoded.OfEvent) read).event().id()).isEqualTo(ID);
    }

    private static GenericRecord named(Schema schema) {
        GenericRecord event = new GenericData.Record(schema);
        event.put("stream", "orders/eu-1");
        event.put("key", "e-1");
        return event;
    }

    static Stream<Arguments> badEvents() {
        return Stream.of(
                Arguments.of(Map.of("stream", ""), RejectReason.NO_STREAM),
                Arguments.of(Map.of("id", ""), RejectReason.NO_ID),
                Arguments.of(Map.of("stream", " x"), RejectReason.BAD_NAME),
                Arguments.of(Map.of("stream", "x\n"), RejectReason.BAD_NAME),
                Arguments.of(Map.of("stream", "a\0b"), RejectReason.BAD_NAME),
                Arguments.of(Map.of("stream", "ä".repeat(128)), RejectReason.BAD_NAME),
                Arguments.of(Map.of("id", "x".repeat(256)), RejectReason.BAD_NAME),
                Arguments.of(Map.of("id", "\u00a0"), RejectReason.BAD_NAME),
                Arguments.of(Map.of("ttlSeconds", 0L), RejectReason.BAD_TTL),
                Arguments.of(Map.of("ttlSeconds", -1L), RejectReason.BAD_TTL),
                Arguments.of(Map.of("ttlSeconds", 1L, "noExpiration", true), RejectReason.BAD_TTL),
                Arguments.of(Map.of("expiresAt", 1L, "noExpiration", true), RejectReason.BAD_TTL));
    }

    @ParameterizedTest
    @MethodSource("badEvents")
    @Tag("O-20")
    void shouldSayWhyAnEventIsBad(Map<String, Object> fields, RejectReason reason) {
        // given
        GenericRecord event = EventRecords.record(PLAIN);
        fields.forEach(event::put);

        // when
        Decoded decoded = read(records.encode(event));

        // then
        assertThat(reason(decoded)).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ä…𝄞", "a/b/c", "' OR 1=1 --", "../../etc", "\u200f\u202e", "*", "stream:x"})
    void shouldTakeHostileNamesThatBreakNoRule(String name) {
        // given
        GenericRecord event = EventRecords.record(PLAIN);
        event.put("stream", name);
        event.put("id", name);

        // when
        Decoded decoded = read(records.encode(event));

        // then
        assertThat(((Decoded.OfEvent) decoded).event().stream().value()).isEqualTo(name);
    }

    static Stream<Arguments> undecodable() {
        return Stream.of(
                Arguments.of("empty", new byte[0]),
                Arguments.of("json", "[\"a\"]".getBytes(StandardCharsets.UTF_8)),
                Arguments.of("other magic byte", new byte[] {1, 0, 0, 0, 1, 0}),
                Arguments.of("header only", new byte[] {0, 0, 0, 0, 1}),
                Arguments.of("half a header", new byte[] {0, 0, 0}),
                Arguments.of("two gigabytes announced", new byte[] {0, 0, 0, 0, 1, -2, -1, -1, -1, 15}),
                Arguments.of("negative length", new byte[] {0, 0, 0, 0, 1, 1}),
                Arguments.of("endless number", new byte[] {0, 0, 0, 0, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}),
                Arguments.of("no UTF-8", new byte[] {0, 0, 0, 0, 2, 2, -1, 2, 'a', 0, 0, 0, 0, 0, 0}),
                Arguments.of("no such union branch", new byte[] {0, 0, 0, 0, 2, 2, 's', 2, 'a', 6, 0, 0, 0, 0, 0}),
                Arguments.of(
                        "a billion entries",
                        new byte[] {0, 0, 0, 0, 2, 2, 's', 2, 'a', 0, 0, 0, 0, 0, 2, -2, -1, -1, -1, 7}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("undecodable")
    @Tag("O-20")
    void shouldRefuseBytesThatAreNoRecord(String what, byte[] bytes) {
        assertThat(reason(read(bytes))).isEqualTo(RejectReason.UNDECODABLE);
    }

    @Test
    @Tag("O-20")
    void shouldRefuseEveryTruncationAndEveryTrailingByte() {
        // given
        byte[] bytes = records.event(PLAIN);

        for (int length = 0; length < bytes.length; length++) {
            // when
            Decoded truncated = read(Arrays.copyOf(bytes, length));

            // then
            assertThat(reason(truncated)).as("%d bytes", length).isEqualTo(RejectReason.UNDECODABLE);
        }
        assertThat(reason(read(Arrays.copyOf(bytes, bytes.length + 1)))).isEqualTo(RejectReason.UNDECODABLE);
    }

    @Test
    @Tag("O-20")
    void shouldRefuseARecordWithoutValueAndRecordsOfOtherTypes() {
        // when
        Decoded empty = read(null);
        Decoded policy = read(records.policy(RetentionPolicy.of(Scope.ALL).build()));
        DecodedPolicy event = records.readPolicy("*", records.event(PLAIN));
        DecodedPolicy mark = records.readPolicy("*", records.mark(1, null, List.of()));
        DecodedPolicy notMark = records.readPolicy("gate", records.event(PLAIN));

        // then
        assertThat(reason(empty)).isEqualTo(RejectReason.UNDECODABLE);
        assertThat(reason(policy)).isEqualTo(RejectReason.WRONG_TYPE);
        assertThat(List.of(event, mark, notMark))
                .extracting(decoded -> ((DecodedPolicy.Bad) decoded).rejection().reason())
                .containsOnly(RejectReason.WRONG_TYPE);
    }

    @Test
    @Tag("O-20")
    void shouldSurviveARecordDeeperThanTheStack() throws Exception {
        // given
        Schema list = new Schema.Parser().parse("""
            {"type": "record", "name": "Event", "namespace": "dev.ebb", "fields": [
              {"name": "next", "type": ["null", "Event"]}]}\
            """);
        int id = registry.register("deep", list.toString());
        byte[] bytes = new byte[2_000_000];
        Arrays.fill(bytes, (byte) 2);
        ByteBuffer.wrap(bytes).put((byte) 0).putInt(id);
        bytes[bytes.length - 1] = 0;

        // when
        Decoded decoded = readUntilKnown(bytes);

        // then
        assertThat(reason(decoded)).isEqualTo(RejectReason.UNDECODABLE);
    }

    @Test
    @Tag("O-20")
    void shouldRefuseASchemaThatTheRegistryDoesNotKnow() throws Exception {
        // given
        byte[] bytes = records.event(PLAIN);
        ByteBuffer.wrap(bytes).putInt(1, 999);

        // when
        Decoded first = read(bytes);
        Decoded then = readUntilKnown(bytes);

        // then
        assertThat(first).isInstanceOf(Decoded.Pending.class);
        assertThat(reason(then)).isEqualTo(RejectReason.UNKNOWN_SCHEMA);
    }

    @Test
    @Tag("O-20")
    void shouldAskAgainForASchemaThatWasUnknownAWhileAgo() throws Exception {
        // given
        Schema newer = with(EbbSchemas.EVENT, "extra", "\"string\"", "\"\"");
        byte[] bytes = records.event(PLAIN);
        int next = EbbSchemas.all().size() + 1;
        ByteBuffer.wrap(bytes).putInt(1, next);
        assertThat(reason(readUntilKnown(bytes))).isEqualTo(RejectReason.UNKNOWN_SCHEMA);

        // when
        assertThat(registry.register("late", newer.toString())).isEqualTo(next);

        // then: the same bytes are one field short of the schema that came
        Decoded decoded = readUntil(
                bytes,
                answer -> answer instanceof Decoded.Bad bad && bad.rejection().reason() != RejectReason.UNKNOWN_SCHEMA);
        assertThat(reason(decoded)).isEqualTo(RejectReason.UNDECODABLE);
    }

    @Test
    @Tag("O-20")
    void shouldRefuseASchemaThatIsNoAvroRecord() throws Exception {
        // given
        byte[] text = new byte[] {0, 0, 0, 0, (byte) registry.register("text", "\"string\""), 0};
        byte[] proto = new byte[] {0, 0, 0, 0, (byte) registry.register("proto", "syntax = \"proto3\";"), 0};

        // when
        Decoded ofText = readUntilKnown(text);
        Decoded ofProto = readUntilKnown(proto);

        // then
        assertThat(reason(ofText)).isEqualTo(RejectReason.UNDECODABLE);
        assertThat(reason(ofProto)).isEqualTo(RejectReason.UNDECODABLE);
    }

    @Test
    @Tag("O-20")
    void shouldHoldRecordsPendingWhileTheRegistryIsAway() throws Exception {
        // given
        Schema newer = with(EbbSchemas.EVENT, "extra", "[\"null\",\"string\"]", "null");
        GenericRecord event = new GenericData.Record(newer);
        EbbSchemas.EVENT
                .getFields()
                .forEach(field ->
                        event.put(field.name(), EventRecords.record(PLAIN).get(field.pos())));
        byte[] unknown = records.encode(event);
        registry.setAway(true);

        // when
        Decoded pending = readUntil(
                unknown, answer -> registry.lookups() > EbbSchemas.all().size() + 3);
        Decoded known = read(records.event(PLAIN));
        registry.setAway(false);
        Decoded later = readUntilKnown(unknown);

        // then
        assertThat(pending).isInstanceOf(Decoded.Pending.class);
        assertThat(known).isInstanceOf(Decoded.OfEvent.class);
        assertThat(later).isEqualTo(new Decoded.OfEvent(PLAIN));
    }

    @Test
    void shouldAskOnceForAnIdHoweverManyRecordsHaveIt() throws Exception {
        // given
        Schema newer = with(EbbSchemas.EVENT, "extra", "[\"null\",\"string\"]", "null");
        GenericRecord event = new GenericData.Record(newer);
        EbbSchemas.EVENT
                .getFields()
                .forEach(field ->
                        event.put(field.name(), EventRecords.record(PLAIN).get(field.pos())));
        byte[] bytes = records.encode(event);
        int before = registry.lookups();

        // when
        readUntilKnown(bytes);
        for (int i = 0; i < 100; i++) {
            read(bytes);
        }

        // then
        assertThat(registry.lookups() - before).isEqualTo(1);
    }

    @Test
    void shouldSetCompatibilityOfWhatOthersWrite() {
        assertThat(registry.compatibility("dev.ebb.Event")).contains(SchemaRegistry.Compatibility.BACKWARD_TRANSITIVE);
        assertThat(registry.compatibility("dev.ebb.EventUpdate"))
                .contains(SchemaRegistry.Compatibility.BACKWARD_TRANSITIVE);
        assertThat(registry.compatibility("dev.ebb.RetentionPolicy")).contains(SchemaRegistry.Compatibility.FULL);
    }

    @Test
    void shouldSayThatTheRegistryDoesNotAnswerAtTheStart() {
        // given
        InMemorySchemaRegistry away = new InMemorySchemaRegistry();
        away.setAway(true);
        AvroStart start = new AvroStart(away, Duration.ofMillis(50));
        EbbAvroSerializer serializer = new EbbAvroSerializer(away);

        // when / then
        assertThatThrownBy(() -> start.run(serializer, new EbbAvroDeserializer(new WaitingSchemas(away))))
                .isInstanceOf(RegistryUnavailableException.class)
                .hasMessageContaining("Connection refused");
    }

    @Test
    void shouldRefuseClassesThatAreNoSerdes() {
        // given
        AvroSettings unknown = AvroSettings.of(Map.of("avro.serializer.class", "com.acme.None"));
        AvroSettings wrong = AvroSettings.of(Map.of("avro.deserializer.class", "java.lang.String"));

        // when / then
        assertThatThrownBy(() -> AvroRecords.of(unknown)).hasMessageContaining("avro.serializer.class");
        assertThatThrownBy(() -> AvroRecords.of(wrong)).hasMessageContaining("avro.deserializer.class");
    }

    private Decoded read(byte[] bytes) {
        return records.read("ebb.events", new RecordHeaders(), bytes);
    }

    /** Registered by its text, since schemas that differ in their aliases only are equal to Avro. */
    private Decoded readKnown(GenericRecord avro) {
        try {
            int id = registry.register("others", avro.getSchema().toString());
            return readUntilKnown(WireFormat.write(id, avro));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Decoded readUntilKnown(byte[] bytes) {
        return readUntil(bytes, answer -> !(answer instanceof Decoded.Pending));
    }

    private Decoded readUntil(byte[] bytes, Predicate<Decoded> isEnough) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        Decoded answer = read(bytes);
        while (!isEnough.test(answer)) {
            assertThat(System.nanoTime()).as("waiting for more than %s", answer).isLessThan(deadline);
            Thread.onSpinWait();
            answer = read(bytes);
        }
        return answer;
    }

    private byte[] knownBytes(String key, GenericRecord policy) {
        byte[] bytes = records.encode(policy);
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (records.readPolicy(key, bytes) instanceof DecodedPolicy.Pending) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            Thread.onSpinWait();
        }
        return bytes;
    }

    private String policyFault(String key, String scope) {
        GenericRecord policy = new GenericData.Record(EbbSchemas.RETENTION_POLICY);
        policy.put("scope", scope);
        return ((DecodedPolicy.Bad) records.readPolicy(key, records.encode(policy)))
                .rejection()
                .detail();
    }

    private static RejectReason reason(Decoded decoded) {
        assertThat(decoded).isInstanceOf(Decoded.Bad.class);
        return ((Decoded.Bad) decoded).rejection().reason();
    }

    /** The schema with one more field. */
    private static Schema with(Schema schema, String name, String type, String defaultValue) {
        String text = schema.toString();
        String field = "{\"name\":\"%s\",\"type\":%s,\"default\":%s}".formatted(name, type, defaultValue);
        return new Schema.Parser().parse(text.substring(0, text.lastIndexOf(']')) + "," + field + "]}");
    }
}
