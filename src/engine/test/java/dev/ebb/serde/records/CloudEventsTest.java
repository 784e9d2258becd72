package dev.ebb.serde.records;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.serde.schemas.AvroSettings;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** CloudEvents 1.0, in structured and in binary mode. */
@Tag("R-1")
class CloudEventsTest {

    private static final String LEAST = "'specversion':'1.0','id':'e-1','source':'/orders','type':'paid'";

    private final AvroRecords records = AvroRecords.of(AvroSettings.of(Map.of(AvroSettings.URL, "")));

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    void shouldReadEveryAttributeOfAStructuredEvent() {
        // when
        Event event = structured("{" + LEAST + ",'subject':'eu-1','time':'1970-01-01T00:00:01Z','status':'completed',"
                + "'completedat':'1970-01-01T00:00:02+00:00','ttlseconds':3,'execution':5,'correlationid':'c',"
                + "'dataschema':'http://x/y','sampled':true,'partitionkey':'p','absent':null,"
                + "'data':{'a': [1.50, 'b']}}");

        // then
        assertThat(event.stream()).hasToString("orders/eu-1");
        assertThat(event.id()).hasToString("e-1");
        assertThat(event.type()).isEqualTo("paid");
        assertThat(event.occurredAt()).isEqualTo(1000);
        assertThat(event.status()).isEqualTo("completed");
        assertThat(event.completedAt()).isEqualTo(2000);
        assertThat(event.ttl().ttlSeconds()).isEqualTo(3);
        assertThat(event.execution()).isEqualTo(5);
        assertThat(event.correlationId()).isEqualTo("c");
        assertThat(event.contentType()).isEqualTo("application/json");
        assertThat(payload(event)).isEqualTo("{\"a\":[1.50,\"b\"]}");
        assertThat(event.metadata())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "source", "/orders",
                        "subject", "eu-1",
                        "dataschema", "http://x/y",
                        "sampled", "true",
                        "partitionkey", "p"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "/orders                          |      | orders",
                "/orders                          | 1    | orders/1",
                "/orders                          | a/b  | orders/a%2Fb",
                "/orders                          | a%~  | orders/a%25%7E",
                "/orders/a                        | b    | orders/a/b",
                "/orders/a                        |      | orders/a/",
                "https://shop.example/orders      | 1    | shop.example/orders/1",
                "https://shop.example             |      | shop.example",
                "urn:shop:orders                  | 1    | urn:shop:orders/1",
                "orders                           | 1    | orders/1~1c168adb00d208e4",
                "/orders/                         | 1    | orders/1~c6dc6d688f270db3",
                "http://shop.example/orders       | 1    | shop.example/orders/1~96e75df1c2c5683f",
                "https://shop.example:8443/orders |      | shop.example:8443/orders/~be88f5759e10822a",
                "/                                | 1    | 1~8a5edab282632443",
            })
    void shouldNameTheStreamBySourceAndSubject(String source, String subject, String stream) {
        // given
        String more = subject == null ? "" : ",'subject':'" + subject + "'";

        // when
        Event event = structured("{'specversion':'1.0','id':'e','source':'" + source + "','type':'t'" + more + "}");

        // then
        assertThat(event.stream()).hasToString(stream);
        assertThat(event.metadata()).containsEntry("source", source);
    }

    /** Source and id tell events apart: no two sources, and no two subjects, may come together in one stream. */
    @Test
    void shouldNeverNameOneStreamByTwoPairs() {
        // given
        List<String> names = List.of("a", "a.b", "a:b", "a~b", "a b", "a%2Fb", "a~ca978112ca1bbdca", ".", ":");
        List<String> sources = new ArrayList<>();
        for (String beginning : List.of("", "/", "//", "///", "http://", "https://", "HTTPS://", "x:", "x://", "./")) {
            for (String name : names) {
                for (String end : List.of("", "/", "/c", "/c/", "//c", "/c/d", "/https://c", "?c", "#c")) {
                    sources.add(beginning + name + end);
                }
            }
        }
        List<String> subjects = new ArrayList<>(List.of("", "/", "c", "c/", "/c", "c/d", "d", "%2F", "%", "~", "~~"));
        subjects.addAll(names);

        // when
        Map<String, String> pairs = new HashMap<>();
        for (String source : new HashSet<>(sources)) {
            for (String subject : new HashSet<>(subjects)) {
                String more = subject.isEmpty() ? "" : ",'subject':'" + subject + "'";
                String json = "{'specversion':'1.0','id':'e','source':'" + source + "','type':'t'" + more + "}";
                String pair = source + " and " + subject;

                // then
                assertThat(pairs.put(structured(json).stream().value(), pair))
                        .as("a pair that names the stream of %s", pair)
                        .isNull();
            }
        }
    }

    @Test
    void shouldLetAnAttributeNameTheStream() {
        assertThat(structured("{" + LEAST + ",'subject':'x','stream':'a/b'}").stream())
                .hasToString("a/b");
    }

    /** A text is JSON where the content is JSON, and else it is the content itself. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "'data':'hi'                                                    | application/json | \"hi\"",
                "'data':'hi','datacontenttype':'text/plain'                     | text/plain       | hi",
                "'data':'{}','datacontenttype':'application/vnd.x+json; a=b'    | application/vnd.x+json; a=b | \"{}\"",
                "'data':7                                                       | application/json | 7",
                "'data_base64':'aGk=','datacontenttype':'image/png'             | image/png        | hi",
                "'data_base64':'aGk='                                           |                  | hi",
                "'data':null                                                    |                  | ^^",
            })
    void shouldTakeTheContentAsItsTypeSays(String fields, String contentType, String payload) {
        // when
        Event event = structured("{" + LEAST + "," + fields + "}");

        // then
        assertThat(event.contentType()).isEqualTo(contentType);
        assertThat(payload(event)).isEqualTo(payload);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "'specversion':'0.3'                             | specversion is '0.3'",
                "'specversion':'1.0'                             | must have the attribute id",
                "'specversion':'1.0','id':''                     | must have the attribute id",
                "'specversion':'1.0','id':'e'                    | must have the attribute source",
                "'specversion':'1.0','id':'e','source':'s'       | must have the attribute type",
                LEAST + ",'Time':'x'                             | 'Time' is not an attribute of a CloudEvent",
                LEAST + ",'time':'x'                             | time must be",
                LEAST + ",'a':[]                                 | a must be a text, a number",
                LEAST + ",'ttlseconds':'x'                       | ttlseconds must be a whole number",
                LEAST + ",'noexpiration':'x'                     | noexpiration must be true or false",
                LEAST + ",'data':1,'data_base64':'aGk='          | both data and data_base64",
                LEAST + ",'id':'f'                               | it names id twice",
                LEAST + ",'data':1,'data':2                      | it names data twice",
                LEAST + ",'data_base64':'*'                      | data_base64 must be Base64",
                LEAST + ",'a':'\\ud800'                          | a must be valid Unicode",
                LEAST + "                                        | it ends too early",
            })
    @Tag("O-20")
    void shouldNameWhatIsWrong(String fields, String message) {
        // given
        String end = message.contains("too early") ? "" : "}";

        // when
        Rejection rejection = rejection(new RecordHeaders(), json("{" + fields + end));

        // then
        assertThat(rejection.reason()).isEqualTo(RejectReason.UNDECODABLE);
        assertThat(rejection.detail()).contains(message);
    }

    /** The version of a payload makes no CloudEvent of an event. */
    @Test
    void shouldTellACloudEventFromAnEventWithOneInside() {
        assertThat(structured("{'id':'e','payload':{'specversion':'1.0'}}").stream())
                .hasToString("key");
    }

    @Test
    void shouldTakeTheMediaTypeForTheVersion() {
        // given
        Headers headers =
                headers("content-type", "application/cloudevents+json; charset=UTF-8", "ce_specversion", "1.0");

        // when
        Event event = event(headers, json("{" + LEAST + "}"));

        // then
        assertThat(event.id()).hasToString("e-1");
        assertThat(rejection(headers, json("{'id':'e'}")).detail()).contains("must have the attribute specversion");
    }

    /** Kafka's binding of CloudEvents has no batches: a record that is rejected would take others with it. */
    @ParameterizedTest
    @ValueSource(strings = {"application/cloudevents-batch+json", "Application/CloudEvents-Batch+JSON; charset=utf-8"})
    @Tag("O-20")
    void shouldRefuseABatch(String mediaType) {
        for (String value : List.of("[]", "[{" + LEAST + "}]", "{" + LEAST + "}")) {
            assertThat(rejection(headers("content-type", mediaType), json(value))
                            .detail())
                    .contains("batch of CloudEvents", "a separate record");
        }
    }

    /** Times are read as in other events. */
    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:01Z", "1970-01-01T01:00:01+01:00", "1970-01-01t00:00:01z", "1000"})
    void shouldReadTimesInEachForm(String time) {
        // when
        Event event = structured("{" + LEAST + ",'time':'" + time + "','expiresat':'" + time + "'}");

        // then
        assertThat(event.occurredAt()).isEqualTo(1000);
        assertThat(event.ttl().expiresAt()).isEqualTo(1000);
    }

    @ParameterizedTest
    @Tag("O-22")
    @ValueSource(strings = {"1990-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00"})
    void shouldTakeALeapSecondAsTheLastMomentOfItsMinute(String time) {
        Event event = structured("{" + LEAST + ",'time':'" + time + "'}");

        assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo(Instant.parse("1990-12-31T23:59:59.999Z"));
    }

    /** RFC 3339 bounds no fraction. */
    @Test
    @Tag("O-22")
    void shouldReadAnyNumberOfDigitsBehindThePoint() {
        Event event = structured("{" + LEAST + ",'time':'2026-11-28T10:00:00.123456789012Z'}");

        assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo(Instant.parse("2026-11-28T10:00:00.123Z"));
    }

    @Test
    @Tag("O-22")
    void shouldTakeADateByItsBound() {
        Event event = structured("{" + LEAST + ",'time':'20261127','expiresat':'20261127'}");

        assertThat(Instant.ofEpochMilli(event.occurredAt())).isEqualTo(Instant.parse("2026-11-27T00:00:00Z"));
        assertThat(Instant.ofEpochMilli(event.ttl().expiresAt())).isEqualTo(Instant.parse("2026-11-27T23:59:59.999Z"));
    }

    @Test
    @Tag("O-20")
    void shouldNotLoseTheIdOfABinaryEventWithoutAVersion() {
        Headers headers = headers("ce_id", "e-1", "ce_source", "/orders", "ce_type", "paid");

        assertThat(rejection(headers, bytes("{}")).detail()).contains("must have the attribute specversion");
    }

    /** In binary mode the value is the content, whatever it begins with. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {"{not json", "^\0\0\0\0\1^", "^^", "text"})
    void shouldReadABinaryEvent(String content) {
        // given
        Headers headers = headers(
                "ce_specversion", "1.0",
                "ce_id", "e-1",
                "ce_source", "/orders",
                "ce_subject", "1",
                "ce_type", "paid",
                "ce_time", "1970-01-01T00:00:01.5+01:00",
                "ce_ttlseconds", "60",
                "ce_sampled", "yes",
                "content-type", "text/plain",
                "other", "passed over");
        headers.remove("ce_time").add("ce_time", bytes("1970-01-01T01:00:01.5+01:00"));

        // when
        Event event = event(headers, bytes(content));

        // then
        assertThat(event.stream()).hasToString("orders/1");
        assertThat(event.id()).hasToString("e-1");
        assertThat(event.type()).isEqualTo("paid");
        assertThat(event.occurredAt()).isEqualTo(1500);
        assertThat(event.ttl().ttlSeconds()).isEqualTo(60);
        assertThat(event.contentType()).isEqualTo("text/plain");
        assertThat(event.metadata()).isEqualTo(Map.of("source", "/orders", "subject", "1", "sampled", "yes"));
        assertThat(payload(event)).isEqualTo(content);
    }

    @Test
    void shouldReadABinaryEventWithoutContent() {
        assertThat(event(headers("ce_specversion", "1.0", "ce_id", "e", "ce_source", "s", "ce_type", "t"), null)
                        .payload())
                .isEmpty();
    }

    @Test
    @Tag("O-20")
    void shouldRejectABinaryEventThatIsWrong() {
        // given
        Headers noText = headers("ce_specversion", "1.0", "ce_id", "e", "ce_source", "s");
        noText.add("ce_type", new byte[] {(byte) 0xC3});

        // then
        assertThat(rejection(headers("ce_specversion", "2.0"), bytes("x")).detail())
                .contains("'2.0'");
        assertThat(rejection(headers("ce_specversion", "1.0", "ce_", "x"), bytes("x"))
                        .detail())
                .contains("''");
        assertThat(rejection(noText, bytes("x")).detail()).contains("the header of type is not valid UTF-8");
    }

    private Event structured(String json) {
        return event(new RecordHeaders(), json(json));
    }

    private Event event(Headers headers, byte[] value) {
        return ((Decoded.OfEvent) read(headers, value)).event();
    }

    private Rejection rejection(Headers headers, byte[] value) {
        return ((Decoded.Bad) read(headers, value)).rejection();
    }

    private Decoded read(Headers headers, byte[] value) {
        return records.read(new RecordOrigin("ebb.events", 0, 1, bytes("key")), headers, value);
    }

    private static Headers headers(String... namesAndValues) {
        Headers headers = new RecordHeaders();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], bytes(namesAndValues[i + 1]));
        }
        return headers;
    }

    private static byte[] json(String text) {
        return bytes(text.replace('\'', '"'));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String payload(Event event) {
        return new String(event.payload(), StandardCharsets.UTF_8);
    }
}
