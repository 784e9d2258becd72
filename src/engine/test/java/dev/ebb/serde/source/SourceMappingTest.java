package dev.ebb.serde.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.source.Source;
import dev.ebb.domain.source.SourceFault;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourceOutcome;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.model.SeededCases;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import dev.ebb.serde.schemas.SchemaRegistry;
import dev.ebb.serde.text.PolicyFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of sources become events, removals or faults. */
@Tag("F-2")
class SourceMappingTest {

    private static final long NOW = Instant.parse("2026-11-29T12:00:00Z").toEpochMilli();
    private static final String CANARY = "s3cret";

    private static final Schema ORDER = new Schema.Parser().parse("""
            {"type": "record", "name": "Order", "fields": [
              {"name": "customer", "type": ["null", "string"]},
              {"name": "at", "type": {"type": "long", "logicalType": "timestamp-micros"}},
              {"name": "until", "type": {"type": "int", "logicalType": "date"}},
              {"name": "total", "type": {"type": "bytes", "logicalType": "decimal", "precision": 9, "scale": 2}},
              {"name": "state", "type": {"type": "enum", "name": "State", "symbols": ["NEW", "SHIPPED"]}},
              {"name": "tags", "type": {"type": "map", "values": "string"}}
            ]}""");

    private final AtomicInteger questions = new AtomicInteger();
    private boolean isAway;

    @Test
    @Tag("F-4")
    void shouldMakeAnEventOfARow() {
        // given
        SourceMapping mapping = mapping(
                "stream: \"orders/{value.customer.id}\"",
                "type: \"order-{value.kind}\"",
                "status: {from: value.state, map: {SHIPPED: completed}}",
                "occurredAt: value.at",
                "completedAt: {from: value.doneMs, unit: ms}",
                "expiresAt: {from: value.until, plus: 1d}",
                "correlationId: header.trace",
                "metadata: {user: value.customer.id, missing: value.nothing}");

        // when
        Event event = event(mapping.map(record("o-1", """
                        {"customer": {"id": 42}, "kind": "web", "state": "SHIPPED", "at": "2026-11-28T10:00:00Z",
                         "doneMs": 1795946400000, "until": "2026-12-01"}""", "trace", "t-1"), NOW));

        // then
        assertThat(event.stream().value()).isEqualTo("orders/42");
        assertThat(event.id().value()).isEqualTo("o-1");
        assertThat(event.type()).isEqualTo("order-web");
        assertThat(event.status()).isEqualTo("completed");
        assertThat(event.occurredAt())
                .isEqualTo(Instant.parse("2026-11-28T10:00:00Z").toEpochMilli());
        assertThat(event.completedAt()).isEqualTo(1795946400000L);
        assertThat(event.ttl().expiresAt())
                .isEqualTo(Instant.parse("2026-12-02T23:59:59.999Z").toEpochMilli());
        assertThat(event.correlationId()).isEqualTo("t-1");
        assertThat(event.metadata()).isEqualTo(Map.of("user", "42"));
        assertThat(event.payload()).isEmpty();
    }

    @Test
    void shouldTakeAMissingOptionalPathForNotSet() {
        // given
        SourceMapping mapping = mapping(
                "stream: orders",
                "type: \"{value.kind}\"",
                "occurredAt: value.at",
                "expiresAt: value.until",
                "correlationId: header.trace",
                "metadata: {user: value.a.b.c}");

        // when
        Event event = event(mapping.map(record("o-1", "{\"a\": null, \"until\": null}"), NOW));

        // then
        assertThat(event.type()).isEmpty();
        assertThat(event.occurredAt()).isNull();
        assertThat(event.ttl()).isEqualTo(OwnTtl.NONE);
        assertThat(event.correlationId()).isNull();
        assertThat(event.metadata()).isEmpty();
    }

    @Test
    @Tag("F-4")
    void shouldProtectWhateverTheMapDoesNotName() {
        // given
        SourceMapping mapping = mapping("stream: a", "status: {from: value.s, map: {DONE: completed, \"1\": read}}");

        // then
        assertThat(status(mapping, "\"DONE\"")).isEqualTo("completed");
        assertThat(status(mapping, "1")).isEqualTo("read");
        assertThat(status(mapping, "\"completed\"")).isEqualTo("unmapped:completed");
        assertThat(status(mapping, "\"done\"")).isEqualTo("unmapped:done");
        assertThat(status(mapping, "\"\"")).isEqualTo("unmapped:");
        assertThat(status(mapping, "null")).isEqualTo("unmapped");
        assertThat(status(mapping, "\" a\\u0000 \"")).isEqualTo("unmapped: a");
        assertThat(status(mapping, "\"" + "x".repeat(1000) + "\"")).isEqualTo("unmapped:" + "x".repeat(60));
    }

    private String status(SourceMapping mapping, String json) {
        return event(mapping.map(record("k", "{\"s\": " + json + "}"), NOW)).status();
    }

    @Test
    @Tag("F-4")
    void shouldNameTheStreamOfARemovalIfTheKeyNamesIt() {
        assertThat(mapping("stream: \"o/{key}\"").map(record("k", null), NOW))
                .isInstanceOfSatisfying(SourceOutcome.Gone.class, gone -> {
                    assertThat(gone.id().value()).isEqualTo("k");
                    assertThat(gone.stream().value()).isEqualTo("o/k");
                });
        assertThat(mapping("stream: \"o/{value.c}\"").map(record("k", null), NOW))
                .isInstanceOfSatisfying(SourceOutcome.Gone.class, gone -> assertThat(gone.stream())
                        .isNull());
    }

    /** A JSON null is a value, and not the end of a row: compaction keeps it too. */
    @Test
    @Tag("F-4")
    void shouldNotTakeAJsonNullForARemoval() {
        assertThat(mapping("stream: o").map(record("k", "null"), NOW)).isInstanceOf(SourceOutcome.Taken.class);
    }

    @Test
    @Tag("F-6")
    void shouldKnowItsOwnTombstonesByTheirHeaders() {
        // given
        SourceMapping mapping = mapping("stream: \"o/{value.c}\"");

        // then
        assertThat(mapping.map(record("k", null, "ebb-cause", "TTL", "ebb-judged", "17"), NOW))
                .isInstanceOfSatisfying(SourceOutcome.Own.class, own -> assertThat(own.judgedOffset())
                        .isEqualTo(17));
        assertThat(mapping.map(record("k", null, "ebb-judged", "17"), NOW)).isInstanceOf(SourceOutcome.Gone.class);
        assertThat(mapping.map(record("k", null, "ebb-cause", "TTL", "ebb-judged", "x"), NOW))
                .isInstanceOf(SourceOutcome.Gone.class);
        assertThat(mapping.map(record("k", "{\"c\":1}", "ebb-cause", "TTL", "ebb-judged", "17"), NOW))
                .isInstanceOf(SourceOutcome.Taken.class);
    }

    @Test
    @Tag("F-4")
    void shouldNameARowByItsKeyAsTextOrElseInBase64() {
        // given
        SourceMapping mapping = mapping("stream: a");

        // then
        assertThat(id(mapping, "käse/1".getBytes(UTF_8))).isEqualTo("käse/1");
        assertThat(id(mapping, new byte[] {0, 0, 0, 0, 7, 2})).isEqualTo("AAAAAAcC");
        assertThat(id(mapping, new byte[] {-1, -2})).isEqualTo("__4");
        assertThat(id(mapping, "a\tb".getBytes(UTF_8))).isEqualTo("YQli");
        assertThat(id(mapping, " a".getBytes(UTF_8))).isEqualTo("IGE");
        assertThat(id(mapping, "k".repeat(255).getBytes(UTF_8))).isEqualTo("k".repeat(255));
        assertThat(id(mapping, "k".repeat(256).getBytes(UTF_8)))
                .startsWith("sha256-")
                .hasSize(50);
        assertThat(id(mapping, new byte[191])).isEqualTo("A".repeat(255));
        assertThat(id(mapping, new byte[192])).startsWith("sha256-");
    }

    @Test
    @Tag("F-4")
    void shouldRefuseARowWithoutAKey() {
        SourceFault fault = fault(mapping("stream: a").map(record(null, "{}"), NOW));

        assertThat(fault.reason()).isEqualTo(RejectReason.SOURCE_PATH);
        assertThat(fault).hasToString("source orders, shop.orders-3@1204: key must be there in a table, found nothing");
    }

    /** Its place, which is the identity of the event, would not fit into the event. */
    @Test
    @Tag("F-4")
    void shouldRefuseAKeyThatIsTooLong() {
        // when
        SourceMapping mapping = mapping("stream: a");
        SourceFault fault = fault(mapping.map(record(new byte[32_769], "{}".getBytes(UTF_8)), NOW));

        // then
        assertThat(fault.reason()).isEqualTo(RejectReason.SOURCE_NAME);
        assertThat(fault.toString()).contains("key must have at most 32768 bytes, has 32769");
        assertThat(mapping.map(record(new byte[32_768], "{}".getBytes(UTF_8)), NOW))
                .isInstanceOf(SourceOutcome.Taken.class);
    }

    /** A decoder would replace them, and make one stream of two customers. */
    @Test
    @Tag("F-3")
    void shouldRefuseJsonWithBytesThatAreNoText() {
        // given
        SourceMapping mapping = mapping("stream: \"a/{value.c}\"");

        // when
        SourceFault fault =
                fault(mapping.map(record("k".getBytes(UTF_8), "{\"c\": \"caf\u00e9\"}".getBytes(ISO_8859_1)), NOW));

        // then
        assertThat(fault.reason()).isEqualTo(RejectReason.SOURCE_CONVERTER);
        assertThat(fault.toString()).contains("value is not JSON in UTF-8");
        assertThat(event(mapping.map(record("k", "\ufeff{\"c\": 1}"), NOW)).stream()
                        .value())
                .isEqualTo("a/1");
    }

    /** The stored version of that key is no longer the newest. */
    @Test
    @Tag("F-4")
    void shouldNameTheRowOfARecordThatDoesNotFit() {
        assertThat(((SourceOutcome.Faulty) mapping("stream: \"a/{value.c}\"").map(record("k", "{}"), NOW))
                        .id()
                        .value())
                .isEqualTo("k");
        assertThat(((SourceOutcome.Faulty)
                                mapping("as: log", "stream: \"a/{value.c}\"").map(record("k", "{}"), NOW))
                        .id())
                .isNull();
    }

    private static String id(SourceMapping mapping, byte[] key) {
        return event(mapping.map(
                        new SourceRecord("shop.orders", 3, 1204, NOW, key, "{}".getBytes(UTF_8), List.of()), NOW))
                .id()
                .value();
    }

    @Test
    @Tag("F-5")
    void shouldNameAnEntryOfALogByItsPlaceUnlessItIsTold() {
        assertThat(event(mapping("as: log", "stream: a").map(record(null, "{}"), NOW))
                        .id()
                        .value())
                .isEqualTo("3-1204");
        assertThat(event(mapping("as: log", "stream: a", "id: \"{header.id}-x\"")
                                .map(record(null, "{}", "id", "7"), NOW))
                        .id()
                        .value())
                .isEqualTo("7-x");
        assertThat(fault(mapping("as: log", "stream: a", "id: \"{header.id}\"").map(record(null, "{}"), NOW))
                        .path())
                .isEqualTo("header.id");
        assertThat(event(mapping("as: log", "stream: \"a/{record.partition}\"").map(record(null, null), NOW)).stream()
                        .value())
                .isEqualTo("a/3");
    }

    @Test
    void shouldKeepTheBytesOnlyIfItIsTold() {
        assertThat(event(mapping("stream: a", "keep: payload").map(record("k", "{\"a\":1}"), NOW))
                        .payload())
                .isEqualTo("{\"a\":1}".getBytes(UTF_8));
        assertThat(event(mapping("stream: a").map(record("k", "{\"a\":1}"), NOW))
                        .payload())
                .isEmpty();
    }

    /** Times: what is written, the unit, and the moment; or a part of the fault. */
    @ParameterizedTest
    @CsvSource({
        "'\"2026-11-28T10:00:00Z\"', , 2026-11-28T10:00:00Z",
        "'\"2026-11-28T12:00:00+02:00\"', ms, 2026-11-28T10:00:00Z",
        "'\"2026-11-28\"', , 2026-11-28T00:00:00Z",
        "1795860000, s, 2026-11-28T10:00:00Z",
        "1795860000000, ms, 2026-11-28T10:00:00Z",
        "1795860000000999, us, 2026-11-28T10:00:00Z",
        "1795860000000999999, ns, 2026-11-28T10:00:00Z",
        "20785, days, 2026-11-28T00:00:00Z",
        "'\"1795860000\"', s, 2026-11-28T10:00:00Z",
        "1795860000, , a number without a unit; declare {from: value.at",
        "1795860000000, s, 'must be between 1971 and 9999, found a time outside, as a number in s'",
        "1795860000, ms, 'must be between 1971 and 9999, found a time outside, as a number in ms'",
        "99999999999999999999999999, s, 'must be between 1971 and 9999, found a time outside'",
        "'\"yesterday\"', , 'must be a time as ISO-8601, or a number with a declared unit, found a text that is none'",
        "'\"2026-11-28T10:00:00\"', , found a text that is none",
        "1.5, s, found a number with a fraction",
        "true, ms, found a truth value",
        "'{}', ms, found an object",
        "'[]', ms, found a list",
        "1795957260000, ms, must not be more than an hour in the future"
    })
    void shouldReadTimesInTheirDeclaredUnit(String json, String unit, String expected) {
        // given
        SourceMapping mapping =
                mapping("stream: a", "occurredAt: {from: value.at" + (unit == null ? "" : ", unit: " + unit) + "}");

        // when
        SourceOutcome outcome = mapping.map(record("k", "{\"at\": " + json + "}"), NOW);

        // then
        if (outcome instanceof SourceOutcome.Taken taken) {
            assertThat(Instant.ofEpochMilli(taken.event().occurredAt())).isEqualTo(expected);
        } else {
            assertThat(fault(outcome).reason()).isEqualTo(RejectReason.SOURCE_TYPE);
            assertThat(fault(outcome).message()).contains(expected);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "20785, days, 0, 2026-11-28T23:59:59.999Z",
        "'\"2026-11-28\"', days, 0, 2026-11-28T23:59:59.999Z",
        "'\"9999-12-31\"', ms, 1, 9999-12-31T23:59:59.999Z",
        "1795860000000, ms, 1, 2026-11-29T10:00:00Z"
    })
    void shouldEndALifeNoEarlierThanItsRecordSays(String json, String unit, int plusDays, String expected) {
        // given
        String plus = plusDays == 0 ? "" : ", plus: " + plusDays + "d";
        SourceMapping mapping = mapping("stream: a", "expiresAt: {from: value.at, unit: " + unit + plus + "}");

        // when
        Event event = event(mapping.map(record("k", "{\"at\": " + json + "}"), NOW));

        // then
        assertThat(Instant.ofEpochMilli(event.ttl().expiresAt())).isEqualTo(expected);
    }

    @Test
    @Tag("F-11")
    void shouldNameThePathAndTheTypeAndNeverAValue() {
        // given
        SourceMapping mapping = mapping("stream: \"a/{value.c.id}\"", "metadata: {m: value.m}");

        // then
        assertThat(fault(mapping.map(record("k", "{\"c\": \"" + CANARY + "\"}"), NOW)))
                .hasToString("source orders, shop.orders-3@1204: value.c must be an object, found a text");
        assertThat(fault(mapping.map(record("k", "{\"c\": {\"id\": {\"" + CANARY + "\": 1}}}"), NOW)))
                .hasToString("source orders, shop.orders-3@1204: value.c.id must be a text, a number or a truth value,"
                        + " found an object");
        assertThat(fault(mapping.map(record("k", "{\"x\": 1}"), NOW)))
                .hasToString("source orders, shop.orders-3@1204: value.c.id must be there, found nothing");
        SourceFault name = fault(mapping.map(record("k", "{\"c\": {\"id\": \"" + CANARY + "\\u0000\"}}"), NOW));
        assertThat(name.reason()).isEqualTo(RejectReason.SOURCE_NAME);
        assertThat(name.toString())
                .contains("stream must not contain control characters")
                .doesNotContain(CANARY);
    }

    /** Rows of many owners would come together in one stream, and one would count against the cap of another. */
    @Test
    @Tag("F-2")
    void shouldRefuseAnEmptyTextInTheNameOfAStream() {
        // given
        SourceMapping ofValue = mapping("stream: \"a/{value.c}\"", "type: \"{value.c}\"");
        SourceMapping ofKey = mapping("stream: \"a/{key}\"");
        SourceMapping many = mapping("stream: \"a/{value.d}-{value.c}\"");

        // then
        SourceFault fault = fault(ofValue.map(record("k", "{\"c\": \"\"}"), NOW));
        assertThat(fault.reason()).isEqualTo(RejectReason.SOURCE_NAME);
        assertThat(fault).hasToString("source orders, shop.orders-3@1204: value.c must not be empty");
        assertThat(fault(ofKey.map(record("", "{}"), NOW)).toString()).endsWith("key must not be empty");
        assertThat(fault(many.map(record("k", "{\"c\": \"\", \"d\": 1}"), NOW)).toString())
                .endsWith("value.c must not be empty");
        assertThat(event(ofValue.map(record("k", "{\"c\": \"b\"}"), NOW)).type())
                .isEqualTo("b");
    }

    @Tag("F-11")
    @ParameterizedTest
    @CsvSource(
            delimiterString = " -> ",
            quoteCharacter = '`',
            value = {
                "`` -> is not JSON: it is empty",
                "` ` -> is not JSON: it is empty",
                "{ -> is not JSON, at character 2",
                "{\"a\": s3cret} -> is not JSON, at character 7",
                "s3cret -> is not JSON, at character 1",
                "{\"a\":1} s3cret -> is not JSON, at character 9",
                "{\"a\":1} 2 -> is not JSON, at character 9",
                "{\"a\":1,\"a\":\"s3cret\"} -> names a field twice, at character 12",
                "{\"a\":NaN} -> is not JSON, at character 9",
                "{'a':1} -> is not JSON, at character 2",
                "`\u0000s3cret` -> is not JSON, at character 1"
            })
    void shouldRefuseWhatIsNotJson(String value, String words) {
        // when
        SourceFault fault = fault(mapping("stream: \"a/{value.a}\"").map(record("k", value), NOW));

        // then
        assertThat(fault.reason()).isEqualTo(RejectReason.SOURCE_CONVERTER);
        assertThat(fault.toString()).contains("value " + words).doesNotContain(CANARY);
    }

    @ParameterizedTest
    @CsvSource({"1000, false", "1001, true", "5000, true"})
    @Tag("F-11")
    void shouldNameTheLimitsOfJson(int levels, boolean isTooDeep) {
        // when
        String value = "[".repeat(levels) + "]".repeat(levels);
        SourceFault fault = fault(mapping("stream: \"a/{value.a}\"").map(record("k", value), NOW));

        // then
        assertThat(fault.toString().contains("value is JSON beyond the limits: 1,000 levels"))
                .as(fault.toString())
                .isEqualTo(isTooDeep);
    }

    @Test
    void shouldNotReadThePartsThatNoPathNeeds() {
        assertThat(mapping("stream: a").map(record("k", "not json"), NOW)).isInstanceOf(SourceOutcome.Taken.class);
    }

    @Test
    void shouldNotMakeALongTextOfAShortNumber() {
        // given
        SourceMapping mapping = mapping("stream: a", "metadata: {n: value.n}");

        // then
        assertThat(fault(mapping.map(record("k", "{\"n\": 1e999999999}"), NOW)).reason())
                .isEqualTo(RejectReason.SOURCE_TYPE);
        assertThat(event(mapping.map(record("k", "{\"n\": 1.50}"), NOW)).metadata())
                .isEqualTo(Map.of("n", "1.5"));
    }

    @Test
    @Tag("F-3")
    void shouldReadAvroWithItsLogicalTypes() {
        // given
        SourceMapping mapping = mapping(
                "value: avro",
                "stream: \"a/{value.customer}\"",
                "status: {from: value.state, map: {SHIPPED: completed}}",
                "occurredAt: value.at",
                "expiresAt: value.until",
                "metadata: {total: value.total, tag: value.tags.color}");

        // when
        Event event = event(mapping.map(record("k".getBytes(UTF_8), avro(1, ORDER, order("c-1"))), NOW));

        // then
        assertThat(event.stream().value()).isEqualTo("a/c-1");
        assertThat(event.status()).isEqualTo("completed");
        assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo("2026-11-28T10:00:00Z");
        assertThat(Instant.ofEpochMilli(event.ttl().expiresAt())).isEqualTo("2026-12-01T23:59:59.999Z");
        assertThat(event.metadata()).isEqualTo(Map.of("total", "12.50", "tag", "red"));
    }

    @Test
    @Tag("F-3")
    void shouldReadAvroKeysThatAreNoRecords() {
        // given
        SourceMapping mapping = mapping("key: avro", "stream: \"a/{key}\"");

        // when
        Event event = event(
                mapping.map(record(avro(2, Schema.create(Schema.Type.STRING), "k-1"), "{}".getBytes(UTF_8)), NOW));

        // then
        assertThat(event.stream().value()).isEqualTo("a/k-1");
        assertThat(event.id().value()).isEqualTo("AAAAAAIGay0x");
    }

    @Test
    @Tag("F-3")
    void shouldAskTheRegistryOnceForASchemaAndOnceForAMissingOne() {
        // given
        SourceMapping mapping = mapping("value: avro", "stream: \"a/{value.customer}\"");
        byte[] known = avro(1, ORDER, order("c"));
        byte[] unknown = avro(9, ORDER, order(CANARY));

        // when
        for (int i = 0; i < 3; i++) {
            mapping.map(record("k".getBytes(UTF_8), known), NOW);
            SourceFault fault = fault(mapping.map(record("k".getBytes(UTF_8), unknown), NOW));
            assertThat(fault.reason()).isEqualTo(RejectReason.SOURCE_CONVERTER);
            assertThat(fault.message()).isEqualTo("names the schema 9, which the registry does not have");
        }

        // then
        assertThat(questions).hasValue(2);
    }

    /** The record is no worse for a registry that is away: the caller tries again. */
    @Test
    @Tag("F-3")
    void shouldNotBlameTheRecordForARegistryThatIsAway() {
        // given
        isAway = true;
        SourceMapping mapping = mapping("value: avro", "stream: \"a/{value.customer}\"");

        // then
        assertThatThrownBy(() -> mapping.map(record("k".getBytes(UTF_8), avro(1, ORDER, order("c"))), NOW))
                .isInstanceOf(RegistryUnavailableException.class);
    }

    /** Whatever stands in a record, its meaning is a value; a fault never has a value of the record in it. */
    @Test
    @Tag("F-11")
    void shouldSurviveAnyBytes() {
        List<SourceMapping> mappings = Stream.of("json", "avro", "text", "bytes")
                .map(format -> mapping(
                        "key: " + (format.equals("json") ? "text" : format),
                        "value: " + format,
                        format.equals("text") || format.equals("bytes")
                                ? "stream: \"a/{value}\""
                                : "stream: \"a/{value.customer}\"",
                        "occurredAt: {from: header.at, unit: ms}",
                        "metadata: {m: key}"))
                .toList();
        SeededCases.forAll(500, random -> {
            byte[] value = hostile(random);
            for (SourceMapping mapping : mappings) {
                SourceOutcome outcome = mapping.map(record(hostile(random), value), NOW);
                if (outcome instanceof SourceOutcome.Faulty faulty) {
                    assertThat(faulty.fault().toString()).doesNotContain(CANARY).contains("shop.orders-3@1204");
                }
            }
        });
    }

    private byte[] hostile(Random random) {
        byte[] bytes = random.nextBoolean()
                ? ("{\"customer\": \"" + CANARY + "\", \"a\": [1, {\"b\": null}]}").getBytes(UTF_8)
                : avro(1, ORDER, order(CANARY));
        int cut = random.nextInt(bytes.length + 1);
        byte[] some = random.nextInt(4) == 0 ? Arrays.copyOf(bytes, cut) : bytes.clone();
        for (int i = random.nextInt(4); i > 0 && some.length > 0; i--) {
            some[random.nextInt(some.length)] = (byte) random.nextInt(256);
        }
        return some;
    }

    private static GenericData.Record order(String customer) {
        GenericData.Record order = new GenericData.Record(ORDER);
        order.put("customer", customer);
        order.put("at", 1795860000000000L);
        order.put("until", 20788);
        order.put("total", ByteBuffer.wrap(new byte[] {4, (byte) 0xE2}));
        order.put("state", new GenericData.EnumSymbol(ORDER.getField("state").schema(), "SHIPPED"));
        order.put("tags", Map.of("color", "red"));
        return order;
    }

    private static byte[] avro(int id, Schema schema, Object datum) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        try {
            BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
            new GenericDatumWriter<>(schema).write(datum, encoder);
            encoder.flush();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return out.toByteArray();
    }

    private SourceMapping mapping(String... lines) {
        String all = String.join("\n", lines);
        PolicyFile file = PolicyFile.read("sources:\n  - name: orders\n    topic: shop.orders\n"
                + (all.contains("as: ") ? "" : "    as: table\n")
                + Stream.of(lines).map(line -> "    " + line + "\n").collect(Collectors.joining()));
        assertThat(file.problems()).isEmpty();
        Source source = file.sources().get(0);
        return new SourceMapping(source, new SourceFormats(Registry::new, () -> null).reader(source));
    }

    private static Event event(SourceOutcome outcome) {
        assertThat(outcome).isInstanceOf(SourceOutcome.Taken.class);
        return ((SourceOutcome.Taken) outcome).event();
    }

    private static SourceFault fault(SourceOutcome outcome) {
        assertThat(outcome).isInstanceOf(SourceOutcome.Faulty.class);
        return ((SourceOutcome.Faulty) outcome).fault();
    }

    private static SourceRecord record(String key, String value, String... headers) {
        List<SourceRecord.Header> list = IntStream.range(0, headers.length / 2)
                .mapToObj(i -> new SourceRecord.Header(headers[2 * i], headers[2 * i + 1].getBytes(UTF_8)))
                .toList();
        return new SourceRecord(
                "shop.orders",
                3,
                1204,
                NOW,
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8),
                list);
    }

    private static SourceRecord record(byte[] key, byte[] value) {
        return new SourceRecord("shop.orders", 3, 1204, NOW, key, value, List.of());
    }

    /** A registry of two schemas. */
    private final class Registry implements SchemaRegistry {

        @Override
        public Optional<String> find(int id) throws IOException {
            questions.incrementAndGet();
            if (isAway) {
                throw new IOException("away");
            }
            return switch (id) {
                case 1 -> Optional.of(ORDER.toString());
                case 2 -> Optional.of("\"string\"");
                default -> Optional.empty();
            };
        }

        @Override
        public int register(String subject, String schema) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void requireCompatibility(String subject, Compatibility compatibility) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
