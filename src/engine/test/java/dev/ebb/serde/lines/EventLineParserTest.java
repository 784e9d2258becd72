package dev.ebb.serde.lines;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.CollidingNames;
import dev.ebb.serde.json.Defaults;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.schemas.EbbSchemas;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EventLineParserTest {

    @Test
    void shouldReadEveryFieldOfAnEvent() {
        // when
        Line.Ready line = ready("""
                {"stream":"orders/eu-1","id":"e-1","type":"order","status":"pending","occurredAt":1000,\
                "completedAt":"1970-01-01T00:00:02Z","ttlSeconds":3,"noExpiration":true,"expiresAt":4000,"execution":5,\
                "correlationId":"c","metadata":{"a":"b","c":""},"contentType":"text/plain","payload":"hé\\u0000"}""");

        // then
        assertThat(line.key()).isEqualTo("orders/eu-1");
        assertThat(line.isUpdate()).isFalse();
        assertThat(line.record().getSchema()).isEqualTo(EbbSchemas.EVENT);
        assertThat(line.record().get("stream")).isEqualTo("orders/eu-1");
        assertThat(line.record().get("id")).isEqualTo("e-1");
        assertThat(line.record().get("type")).isEqualTo("order");
        assertThat(line.record().get("status")).isEqualTo("pending");
        assertThat(line.record().get("occurredAt")).isEqualTo(1000L);
        assertThat(line.record().get("completedAt")).isEqualTo(2000L);
        assertThat(line.record().get("ttlSeconds")).isEqualTo(3L);
        assertThat(line.record().get("noExpiration")).isEqualTo(true);
        assertThat(line.record().get("expiresAt")).isEqualTo(4000L);
        assertThat(line.record().get("execution")).isEqualTo(5L);
        assertThat(line.record().get("correlationId")).isEqualTo("c");
        assertThat(line.record().get("metadata")).isEqualTo(Map.of("a", "b", "c", ""));
        assertThat(line.record().get("contentType")).isEqualTo("text/plain");
        assertThat(payload(line)).isEqualTo("hé\0");
    }

    @Test
    void shouldGiveDefaultsToWhatAnEventDoesNotNameOrNamesAsNull() {
        // when
        Line.Ready bare = ready("{\"stream\":\"s\",\"id\":\"i\"}");
        Line.Ready nulls = ready("{\"stream\":\"s\",\"id\":\"i\",\"type\":null,\"status\":null,\"occurredAt\":null,"
                + "\"noExpiration\":null,\"metadata\":null,\"payload\":null,\"update\":null,\"execution\":null}");

        // then
        assertThat(GenericData.get().validate(EbbSchemas.EVENT, bare.record())).isTrue();
        assertThat(bare.record().get("type")).isEqualTo("");
        assertThat(bare.record().get("occurredAt")).isNull();
        assertThat(bare.record().get("contentType")).isNull();
        assertThat(payload(bare)).isEmpty();
        assertThat(nulls).isEqualTo(bare);
    }

    @Test
    void shouldReadAnUpdateAndLeaveWhatItDoesNotName() {
        // when
        Line.Ready line = ready("{\"id\":\"i\",\"update\":true,\"status\":\"\",\"stream\":\"s\",\"expiresAt\":5}");

        // then
        assertThat(line.isUpdate()).isTrue();
        assertThat(line.record().getSchema()).isEqualTo(EbbSchemas.EVENT_UPDATE);
        assertThat(line.record().get("status")).isEqualTo("");
        assertThat(line.record().get("expiresAt")).isEqualTo(5L);
        assertThat(line.record().get("ttlSeconds")).isNull();
        assertThat(line.record().get("noExpiration")).isNull();
        assertThat(line.record().get("metadata")).isNull();
    }

    @Test
    void shouldTakeALineWithAnExecutionAndNoIdForTheStateOfAnExecution() {
        // when
        Line.Ready line = ready("""
                {"stream":"s","execution":3,"status":"running","parent":"p","startedAt":"1970-01-01T00:00:01Z",\
                "completedAt":2000,"id":null,"update":false}""");

        // then
        assertThat(line.isUpdate()).isFalse();
        assertThat(line.decoded())
                .isEqualTo(new Decoded.OfExecution(
                        new ExecutionUpdate(new StreamName("s"), 3, "running", new StreamName("p"), 1000L, 2000L)));
        assertThat(ready("{\"stream\":\"s\",\"execution\":0}").decoded())
                .isEqualTo(
                        new Decoded.OfExecution(new ExecutionUpdate(new StreamName("s"), 0, null, null, null, null)));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    { "b" : 1.0 , "a" : [ 1e3, -0, 1E+2, 0.10, 12345678901234567890123456789 ] } \
                    | {"b":1.0,"a":[1e3,-0,1E+2,0.10,12345678901234567890123456789]}
                    {"z":{"y":{},"x":[]},"w":[[],[{}],null,true,false]} | {"z":{"y":{},"x":[]},"w":[[],[{}],null,true,false]}
                    {"a":"\\u00e9\\/\\u0041\\u2028\\ud834\\udd1e"} | {"a":"é/A\u2028𝄞"}
                    {"a":"\\"\\\\\\b\\f\\n\\r\\t\\u001f\\u007f"} | {"a":"\\"\\\\\\b\\f\\n\\r\\t\\u001f\u007f"}
                    {"a":"\\ud834"} | {"a":"\\ud834"}
                    [] | []
                    [1,2] | [1,2]
                    {"":""} | {"":""}
                    {"a":1,"a":2} | {"a":1,"a":2}
                    """)
    void shouldSendJsonPayloadsCompactWithNumbersAsWritten(String payload, String compact) {
        // when
        Line.Ready line = ready("{\"stream\":\"s\",\"id\":\"i\",\"payload\":" + payload + ",\"type\":\"t\"}");

        // then
        assertThat(payload(line)).isEqualTo(compact);
        assertThat(line.record().get("contentType")).isEqualTo("application/json");
        assertThat(line.record().get("type")).isEqualTo("t");
    }

    @Test
    void shouldKeepTheContentTypeThatTheLineNames() {
        // when
        Line.Ready line =
                ready("{\"stream\":\"s\",\"id\":\"i\",\"contentType\":\"application/x+json\",\"payload\":{}}");

        // then
        assertThat(line.record().get("contentType")).isEqualTo("application/x+json");
    }

    @Test
    void shouldReadBase64() {
        // when
        Line.Ready line = ready("{\"stream\":\"s\",\"id\":\"i\",\"payloadBase64\":\"AP8=\"}");

        // then
        assertThat(line.record().get("payload")).isEqualTo(ByteBuffer.wrap(new byte[] {0, -1}));
    }

    @ParameterizedTest
    @CsvSource({
        "2026-01-31T09:00:00Z, 1769850000000",
        "2026-01-31T10:00:00+01:00, 1769850000000",
        "2026-01-31T10:00:00+0100, 1769850000000",
        "2026-01-31T10:00+01, 1769850000000",
        "2026-01-31t09:00:00.1239z, 1769850000123",
        "1969-12-31T23:59:59.999Z, -1",
        "0000-01-01T00:00:00Z, -62167219200000"
    })
    void shouldReadIsoTimes(String time, long epochMs) {
        // when
        Line.Ready line = ready("{\"stream\":\"s\",\"id\":\"i\",\"occurredAt\":\"" + time + "\"}");

        // then
        assertThat(line.record().get("occurredAt")).isEqualTo(epochMs);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"stream\":\"s\",\"id\":\"i\",\"occurredAt\":-5}",
                "{\"stream\":\"s\",\"id\":\"i\",\"occurredAt\":99999999999999}",
                "{\"stream\":\"s\",\"id\":\"i\",\"ttlSeconds\":0}",
                "{\"stream\":\"s\",\"id\":\"i\",\"ttlSeconds\":1,\"noExpiration\":true}",
                "{\"stream\":\"s\",\"id\":\"i\",\"execution\":7}",
                "{\"stream\":\"s\",\"id\":\" blank \"}",
                "{\"stream\":\"tab\\t\",\"id\":\"i\"}"
            })
    void shouldSendWhatTheTopologyRejects(String line) {
        assertThat(parse(1, line)).isInstanceOf(Line.Ready.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"status\":\"x\",\"status\":null | status",
                "\"ttlSeconds\":null,\"ttlSeconds\":5 | ttlSeconds",
                "\"id\":\"i\" | id",
                "\"metadata\":{\"a\":\"1\",\"a\":\"2\"} | metadata.a"
            })
    @Tag("O-22")
    void shouldRefuseAFieldThatIsNamedTwice(String fields, String name) {
        assertThat(parse(1, "{\"stream\":\"a\",\"id\":\"i\"," + fields + "}"))
                .isEqualTo(new Line.Unreadable(1, "it names " + name + " twice"));
    }

    @Test
    void shouldKeepWhatAPayloadNamesTwice() {
        assertThat(ready("{\"stream\":\"a\",\"id\":\"i\",\"payload\":{\"n\":1,\"n\":2}}")
                        .record()
                        .get("payload"))
                .isEqualTo(ByteBuffer.wrap("{\"n\":1,\"n\":2}".getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @CsvSource({"999, true", "1000, true", "1001, false"})
    @Tag("O-20")
    void shouldTakeAThousandNamesInMetadata(int count, boolean isGood) {
        for (List<String> names : List.of(CollidingNames.forJava(count), CollidingNames.forJackson(count))) {
            // when
            Line parsed = parse(1, "{\"stream\":\"s\",\"id\":\"i\",\"metadata\":" + CollidingNames.json(names) + "}");

            // then
            if (isGood) {
                assertThat(((Line.Ready) parsed).record().get("metadata")).isEqualTo(CollidingNames.metadata(names));
            } else {
                assertThat(((Line.Unreadable) parsed).message())
                        .isEqualTo("metadata must have at most 1000 names, had 1001");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    nonsense | it is not a JSON object
                    [] | it is not a JSON object
                    "text" | it is not a JSON object
                    null | it is not a JSON object
                    {"stream":"s","id":"i" | it is not a JSON object: it ends too early
                    {"stream":"s","id":"i",} | it is not a JSON object
                    {'stream':'s','id':'i'} | it is not a JSON object
                    {"stream":"s","id":"i"} {} | there is more than one JSON object
                    {"stream":"s","id":"i"} x | it is not a JSON object
                    {"id":"i"} | it names no stream
                    {"stream":null,"id":"i"} | it names no stream
                    {"stream":"","id":"i"} | it names no stream
                    {"stream":"s"} | it names no id
                    {"stream":"s","id":""} | it names no id
                    {"stream":"s","id":"i","colour":null} | unknown field 'colour'
                    {"stream":"s","id":"i","Type":"t"} | unknown field 'Type'; did you mean type?
                    {"stream":"s","id":"i","storedAt":1} | unknown field 'storedAt'; did you mean startedAt?
                    {"stream":1,"id":"i"} | stream must be a text
                    {"stream":"s","id":1} | id must be a text
                    {"stream":"s","id":"\\ud800"} | id must be valid Unicode
                    {"stream":"s","id":"i","type":true} | type must be a text
                    {"stream":"s","id":"i","ttlSeconds":"60"} | ttlSeconds must be a whole number
                    {"stream":"s","id":"i","ttlSeconds":1.5} | ttlSeconds must be a whole number
                    {"stream":"s","id":"i","ttlSeconds":9223372036854775808} | ttlSeconds must be a whole number of 64 bits
                    {"stream":"s","id":"i","noExpiration":"true"} | noExpiration must be true or false
                    {"stream":"s","id":"i","noExpiration":1} | noExpiration must be true or false
                    {"stream":"s","id":"i","update":"true"} | update must be true or false
                    {"stream":"s","id":"i","occurredAt":1e12} | occurredAt must be whole epoch milliseconds or a time
                    {"stream":"s","id":"i","occurredAt":{}} | occurredAt must be whole epoch milliseconds or a time
                    {"stream":"s","id":"i","occurredAt":"yesterday"} | occurredAt must be whole epoch milliseconds or a time
                    {"stream":"s","id":"i","occurredAt":"2026-01-31T09:00:00"} | occurredAt must be whole epoch milliseconds
                    {"stream":"s","id":"i","occurredAt":"1769850000000"} | occurredAt must be whole epoch milliseconds
                    {"stream":"s","id":"i","occurredAt":"2026-02-30T00:00:00Z"} | occurredAt must be whole epoch milliseconds
                    {"stream":"s","id":"i","metadata":[]} | metadata must be an object of texts
                    {"stream":"s","id":"i","metadata":{"a":1}} | metadata.a must be a text
                    {"stream":"s","id":"i","metadata":{"a":null}} | metadata.a must be a text
                    {"stream":"s","id":"i","payload":5} | payload must be an object, a list or a text
                    {"stream":"s","id":"i","payload":true} | payload must be an object, a list or a text
                    {"stream":"s","id":"i","payload":"\\udc00"} | payload must be valid Unicode
                    {"stream":"s","id":"i","payloadBase64":"!"} | payloadBase64 must be Base64
                    {"stream":"s","id":"i","payload":"","payloadBase64":""} | it has both payload and payloadBase64
                    {"stream":"s","id":"i","update":true,"payload":{}} | unknown field 'payload' of an update
                    {"stream":"s","id":"i","update":true,"type":"t"} | unknown field 'type' of an update
                    {"stream":"s","execution":1,"id":""} | it names no id
                    {"stream":"s","execution":1,"update":true} | it names no id
                    {"stream":"s","execution":"1"} | execution must be a whole number
                    {"execution":1} | it names no stream
                    {"stream":"s","execution":1,"payload":{}} | unknown field 'payload' of an execution
                    {"stream":"s","execution":1,"occurredAt":1} | unknown field 'occurredAt' of an execution
                    {"stream":"s","execution":1,"parent":7} | parent must be a text
                    {"stream":"s","id":"i","parent":"p"} | unknown field 'parent' of an event
                    {"stream":"s","id":"i","startedAt":1} | unknown field 'startedAt' of an event
                    {"stream":"s","id":"i","update":true,"execution":1} | unknown field 'execution' of an update
                    """)
    void shouldSayWhyALineIsUnreadable(String line, String message) {
        // when
        Line parsed = parse(7, line);

        // then
        assertThat(parsed).isInstanceOf(Line.Unreadable.class);
        assertThat(parsed.number()).isEqualTo(7);
        assertThat(((Line.Unreadable) parsed).message()).startsWith(message).doesNotContain("Source");
    }

    private static Line parse(long number, String json) {
        return EventLineParser.parse(number, json, Defaults.NONE);
    }

    private static Line.Ready ready(String json) {
        Line line = parse(1, json);
        assertThat(line).isInstanceOf(Line.Ready.class);
        return (Line.Ready) line;
    }

    private static String payload(Line.Ready line) {
        ByteBuffer payload = (ByteBuffer) line.record().get("payload");
        return new String(payload.array(), StandardCharsets.UTF_8);
    }
}
