package dev.ebb.serde.records;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.schemas.AvroSettings;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records in JSON, with a registry and without one. */
@Tag("R-1")
class JsonRecordsTest {

    private static final String TOPIC = "ebb.events";
    private static final Headers NONE = new RecordHeaders();

    private final AvroRecords json = AvroRecords.of(AvroSettings.of(Map.of(AvroSettings.URL, "")));
    private final AvroRecords avro = InMemorySchemaRegistry.preparedRecords();

    @AfterEach
    void close() {
        json.close();
        avro.close();
    }

    @Test
    void shouldPrepareNothingWithoutARegistry() {
        // when
        json.prepare();

        // then
        assertThat(text(json.event(event("s", "a").build()))).startsWith("{\"stream\":\"s\",\"id\":\"a\",");
    }

    @Test
    void shouldReadWhatItWrote() {
        // given
        Event event = new Event(
                new StreamName("orders/eu-1"),
                new EventId("e-1"),
                "order",
                "Pending",
                1L,
                2L,
                OwnTtl.of(3L, 4L, false),
                5,
                "c",
                Map.of("ключ", "значение", "", ""),
                "text/plain",
                "\0höl\uD83D\uDE80".getBytes(StandardCharsets.UTF_8));
        EventUpdate update =
                new EventUpdate(event.stream(), event.id(), "", 7L, OwnTtl.of(null, null, true), Map.of("a", "b"));
        EventUpdate leastUpdate = new EventUpdate(event.stream(), event.id(), null, null, null, null);
        ExecutionUpdate execution = new ExecutionUpdate(event.stream(), 3, "running", new StreamName("p"), 1L, 2L);

        // then: whoever reads needs no registry either, and one with a registry reads the same
        for (AvroRecords reader : List.of(json, avro)) {
            assertThat(read(reader, json.event(event))).isEqualTo(new Decoded.OfEvent(event));
            assertThat(read(reader, json.update(update))).isEqualTo(new Decoded.OfUpdate(update));
            assertThat(read(reader, json.update(leastUpdate))).isEqualTo(new Decoded.OfUpdate(leastUpdate));
            assertThat(read(reader, json.execution(execution))).isEqualTo(new Decoded.OfExecution(execution));
        }
    }

    @Test
    void shouldReadPoliciesHoldsMarksAndCommandsThatItWrote() {
        // given
        RetentionPolicy policy = RetentionPolicy.of(Scope.parse("namespace:orders"))
                .maxAge(Limit.of(86_400_000))
                .maxCount(Limit.of(7))
                .mode(PolicyMode.WARN)
                .set(PolicyField.ARCHIVE, true)
                .build();
        Hold hold = new Hold("LIT-1", Scope.parse("stream:s"), "why", "anna", 5);
        List<WaitingPolicy> waiting =
                List.of(new WaitingPolicy(PolicyKey.of(Scope.ALL), 4, "anna", 5, "too much", null));
        CommandRequest command = new CommandRequest(
                "c-1", "anna", "why", false, 3L, new Command.DeleteStream(new StreamName("s"), true), null);

        // then
        for (AvroRecords reader : List.of(json, avro)) {
            assertThat(reader.readPolicy("namespace:orders", json.policy(policy)))
                    .isEqualTo(new DecodedPolicy.Policy(policy));
            assertThat(reader.readPolicy("hold:LIT-1", json.hold(hold))).isEqualTo(new DecodedPolicy.OfHold(hold));
            assertThat(reader.readPolicy("gate", json.mark(3, "why", waiting)))
                    .isEqualTo(new DecodedPolicy.Mark(3, "why", waiting));
            assertThat(reader.readCommand("ebb.commands", NONE, json.command(command)))
                    .isEqualTo(new DecodedCommand.Good(command));
        }
    }

    @Test
    void shouldTakeTheKeyForTheStreamAndThePlaceForTheIdThatAreNotNamed() {
        // given
        RecordOrigin origin = new RecordOrigin(TOPIC, 3, 42, bytes("orders/1"));
        Headers sentOn = new RecordHeaders().add(RecordOrigin.HEADER, bytes("ebb.events-1-7"));

        // when
        Event unnamed = eventOf(json.read(origin, NONE, bytes("{\"type\":\"order\"}")));
        Event named = eventOf(json.read(origin, NONE, bytes("{\"stream\":\"s\",\"id\":\"a\"}")));
        Event elsewhere = eventOf(json.read(origin, sentOn, bytes("{}")));

        // then
        assertThat(unnamed.stream()).hasToString("orders/1");
        assertThat(unnamed.id()).hasToString("ebb.events-3-42");
        assertThat(named.stream()).hasToString("s");
        assertThat(named.id()).hasToString("a");
        assertThat(elsewhere.id()).hasToString("ebb.events-1-7");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "                    | {\"id\":\"a\"}                 | NO_STREAM",
                "orders/1            | {\"stream\":\"\"}              | NO_STREAM",
                "orders/1            | {\"id\":\"\"}                  | NO_ID",
                "orders/1            | {\"update\":true}              | NO_ID",
                "' a'                | {}                             | BAD_NAME",
                "orders/1            | {\"ttlSeconds\":0}             | BAD_TTL",
            })
    void shouldRejectWhatNothingStandsFor(String key, String value, RejectReason reason) {
        // given
        byte[] keyBytes = key == null ? null : bytes(key.replace("'", ""));

        // when
        Decoded decoded = json.read(new RecordOrigin(TOPIC, 3, 42, keyBytes), NONE, bytes(value));

        // then
        assertThat(((Decoded.Bad) decoded).rejection().reason()).isEqualTo(reason);
    }

    /** Each problem is named with its place. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "{                                  | it ends too early              | line 1, column",
                "{'id':'a','no':1}                  | unknown field 'no'             | line 1, column 11",
                "{'ttlSeconds':1.5}                 | ttlSeconds must be a whole     | line 1, column 15",
                "{'ttlSeconds':9223372036854775808} | must be a whole number of 64   | line 1, column",
                "{'occurredAt':'yesterday'}         | occurredAt must be whole epoch       | line 1, column 15",
                "{'metadata':{'a':1}}               | metadata.a must be a text      | line 1, column 18",
                "{'id':'\\ud800'}                   | id must be valid Unicode       | line 1, column 7",
                "{} {}                              | more than one JSON object      | line 1, column 4",
                "{'id':a}                           | it is not a JSON object           | line 1, column",
                "{'payload':1}                      | payload must be an object      | line 1, column 12",
            })
    @Tag("O-20")
    void shouldNameThePlaceOfWhatIsWrong(String value, String message, String place) {
        // when
        Rejection rejection = rejection(bytes(value.replace('\'', '"')));

        // then
        assertThat(rejection.reason()).isEqualTo(RejectReason.UNDECODABLE);
        assertThat(rejection.detail()).contains(message).contains(place);
    }

    @Test
    @Tag("O-20")
    void shouldCountLines() {
        assertThat(rejection(bytes("{\n  \"id\": \"a\",\n  \"ttlSeconds\": true\n}"))
                        .detail())
                .endsWith("(line 3, column 17)");
    }

    /** Blanks and a byte order mark may stand before the brace; a list or a text is no object. */
    @Test
    void shouldTellJsonFromOtherValues() {
        // given
        byte[] marked = concat(new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF}, bytes(" \r\n\t{\"id\":\"a\"}"));

        // then
        assertThat(json.read(new RecordOrigin(TOPIC, 0, 0, bytes("s")), NONE, marked))
                .isInstanceOf(Decoded.OfEvent.class);
        for (String other : List.of("", " ", "[]", "\"{\"", "\0{}", "a{}")) {
            assertThat(rejection(bytes(other)).detail()).contains("schema.registry.url is empty");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1000",
                "\"1970-01-01T00:00:01Z\"",
                "\"1970-01-01T00:00:01.000+00:00\"",
                "\"1970-01-01T01:00:01+0100\"",
                "\"1969-12-31T23:00:01-01\""
            })
    void shouldReadTimesInEachForm(String time) {
        assertThat(eventOf(json.read(
                                new RecordOrigin(TOPIC, 0, 1, bytes("s")),
                                NONE,
                                bytes("{\"occurredAt\":" + time + "}")))
                        .occurredAt())
                .isEqualTo(1000);
    }

    /** What JSON does not have, though some writers do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'id':'a',}",
                "{id:'a'}",
                "{'id':NaN}",
                "{'execution':+1}",
                "{'execution':01}",
                "{'execution':0x1}",
                "{/* no */'id':'a'}",
                "{'id':'a'} // no",
                "{'id':'line\nend'}",
                "{'id':undefined}"
            })
    @Tag("O-20")
    void shouldTakeNoOtherDialect(String value) {
        assertThat(rejection(bytes(value.replace('\'', '"'))).detail()).matches("(?s).*\\(line \\d+, column \\d+\\)");
    }

    /** A payload is not Ebb's to read: numbers that no type holds stay as they were written. */
    @Test
    void shouldKeepNumbersOfPayloadsAsTheyAreWritten() {
        // given
        String payload = "{\"a\":1e999999999,\"b\":-0.0,\"c\":" + "7".repeat(5000) + ",\"c\":1.10}";

        // when
        Event event = eventOf(
                json.read(new RecordOrigin(TOPIC, 0, 1, bytes("s")), NONE, bytes("{\"payload\": " + payload + "}")));

        // then
        assertThat(text(event.payload())).isEqualTo(payload);
    }

    /** Depth in threes at the limit, long numbers, bytes that are no UTF-8: nothing ends the thread. */
    @Test
    @Tag("O-20")
    void shouldBearHostileValues() {
        // given
        String digits = "9".repeat(100_000);

        // then: one level is that of the object
        assertThat(read(json, bytes("{\"stream\":\"s\",\"id\":\"a\",\"payload\":" + nested(9998) + "}")))
                .isInstanceOf(Decoded.OfEvent.class);
        assertThat(read(json, bytes("{\"stream\":\"s\",\"id\":\"a\",\"payload\":" + nested(9999) + "}")))
                .isInstanceOf(Decoded.OfEvent.class);
        assertThat(rejection(bytes("{\"stream\":\"s\",\"id\":\"a\",\"payload\":" + nested(10_000) + "}"))
                        .detail())
                .contains("10000");
        assertThat(rejection(bytes("{\"id\":\"a\",\"ttlSeconds\":" + digits + "}"))
                        .detail())
                .hasSizeLessThan(1000);
        assertThat(rejection(concat(bytes("{\"id\":\""), new byte[] {(byte) 0xC3}, bytes("\"}")))
                        .detail())
                .contains("not valid UTF-8");
        assertThat(rejection(bytes("{\"a\":" + nested(100_000))).detail()).contains("10000");
    }

    @Test
    @Tag("O-20")
    void shouldThrowNothingWhateverTheBytesAre() {
        // given
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] good = json.event(event("orders/1", "a").payloadBytes(40).build());

        for (int i = 0; i < 20_000; i++) {
            byte[] bad = good.clone();
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                bad[1 + random.nextInt(bad.length - 1)] = (byte) random.nextInt();
            }

            // then
            assertThat(read(json, bad)).as("seed %d", seed).isNotNull();
            assertThat(json.readPolicy("*", bad)).as("seed %d", seed).isInstanceOf(DecodedPolicy.Bad.class);
            assertThat(json.readCommand(TOPIC, NONE, bad)).as("seed %d", seed).isInstanceOf(DecodedCommand.Bad.class);
            json.readAudit(bad);
            json.readReport(bad);
            json.readArchived(bad);
            json.readResult(bad);
        }
    }

    @Test
    void shouldReadPoliciesAndHoldsAsPeopleWriteThem() {
        // given
        byte[] policy = bytes("{\"maxAge\": \"30d\", \"maxCount\": 1000, \"archive\": true, \"reason\": null}");
        byte[] hold = bytes("{\"covers\": \"namespace:orders\", \"placedAt\": \"2026-01-31T08:00:00Z\"}");

        // when
        DecodedPolicy readPolicy = json.readPolicy("namespace:orders", policy);
        DecodedPolicy readHold = json.readPolicy("hold:LIT-1", hold);

        // then
        assertThat(((DecodedPolicy.Policy) readPolicy).policy())
                .isEqualTo(RetentionPolicy.of(Scope.parse("namespace:orders"))
                        .maxAge(Limit.of(30L * 86_400_000))
                        .maxCount(Limit.of(1000))
                        .set(PolicyField.ARCHIVE, true)
                        .build());
        assertThat(((DecodedPolicy.OfHold) readHold).hold())
                .isEqualTo(new Hold("LIT-1", Scope.parse("namespace:orders"), "", "", 1_769_846_400_000L));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "*      | {'maxAge':'30d','maxAge':'1d'}       | Duplicate field 'maxAge'",
                "*      | {'scope':'stream:s','maxAge':'30d'}  | the record's key is '*'",
                "*      | {'maxAge':{}}                        | maxAge must be a text, a whole number",
                "*      | {'maxAge':['1d']}                    | maxAge",
                "*      | {'maxCount':9223372036854775808}     | out of range",
                "*      | {'maxAges':'1d'}                     | unknown field 'maxAges'",
                "*      | {'maxAge':'1d'} x                    | it is not a JSON object",
                "hold:c | {'covers':'*','case':'d'}            | the record's key is 'hold:c'",
                "hold:c | {'covers':'*','\\ud800':1}           | surrogate",
                "gate   | {'sourceOffset':'1'}                 | sourceOffset must be a whole number",
                "gate   | {}                                   | sourceOffset is missing",
            })
    @Tag("O-20")
    void shouldNameWhatIsWrongWithAPolicy(String key, String value, String message) {
        // when
        DecodedPolicy decoded =
                json.readPolicy(key, bytes(value.replace('\'', '"').replace("key is \"", "key is '")));

        // then
        assertThat(((DecodedPolicy.Bad) decoded).rejection().detail()).contains(message);
    }

    @Test
    void shouldReadCommandsAndGiveThemAnIdByTheirPlace() {
        // given
        RecordOrigin origin = new RecordOrigin("ebb.commands", 1, 5, bytes("s"));

        // when
        DecodedCommand named =
                json.readCommand(origin, NONE, bytes("{\"commandId\":\"c\",\"verb\":\"delete\",\"stream\":\"s\"}"));
        DecodedCommand unnamed = json.readCommand(origin, NONE, bytes("{\"verb\":\"delete\",\"stream\":\"s\"}"));
        DecodedCommand twice =
                json.readCommand(origin, NONE, bytes("{\"verb\":\"purge\",\"namespace\":\"a\",\"namespace\":\"b\"}"));
        DecodedCommand wrong = json.readCommand(origin, NONE, bytes("{\"commandId\":\"c\",\"verb\":\"delet\"}"));

        // then
        assertThat(((DecodedCommand.Good) named).request().commandId()).isEqualTo("c");
        assertThat(((DecodedCommand.Good) unnamed).request().commandId()).isEqualTo("ebb.commands-1-5");
        assertThat(((DecodedCommand.Bad) twice).rejection().detail()).contains("Duplicate field 'namespace'");
        assertThat(((DecodedCommand.Bad) wrong).commandId()).isEqualTo("c");
        assertThat(((DecodedCommand.Bad) wrong).rejection().detail()).contains("verb must be one of");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"id\":\"a\",\"type\":\"x\",\"type\":\"y\"}", "{\"type\":null,\"type\":\"y\"}"})
    @Tag("O-22")
    void shouldRefuseEqualFieldsOfAnEvent(String value) {
        assertThat(rejection(bytes(value)).detail()).startsWith("it names type twice (line 1, column ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "expiresAt | 20261128101500 | is read as 2612-01-19; a date and a time?",
                "occurredAt | 202611281015 | is read as 1976-06-03; a date and a time?",
                "occurredAt | 9223372036854775808 | occurredAt must be a whole number of 64 bits",
                "ttlSeconds | 9223372036854775808 | ttlSeconds must be a whole number of 64 bits"
            })
    @Tag("O-22")
    void shouldRefuseNumbersThatAreNoMilliseconds(String field, String number, String detail) {
        assertThat(rejection(bytes("{\"id\":\"a\",\"" + field + "\":" + number + "}"))
                        .detail())
                .contains(detail);
    }

    private Rejection rejection(byte[] value) {
        return ((Decoded.Bad) json.read(new RecordOrigin(TOPIC, 0, 1, bytes("s")), NONE, value)).rejection();
    }

    private static Decoded read(AvroRecords reader, byte[] value) {
        return reader.read(TOPIC, NONE, value);
    }

    private static Event eventOf(Decoded decoded) {
        return ((Decoded.OfEvent) decoded).event();
    }

    private static String nested(int depth) {
        return "[".repeat(depth) + "]".repeat(depth);
    }

    private static byte[] concat(byte[]... parts) {
        var out = new java.io.ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
