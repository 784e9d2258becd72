package dev.ebb.serde.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.CollidingNames;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventJsonTest {

    @Test
    void shouldShowEveryField() {
        // given
        Event event = new Event(
                new StreamName("orders/eu-1"),
                new EventId("e-1"),
                "order",
                "done",
                1_769_850_000_001L,
                1_769_850_000_020L,
                OwnTtl.of(60L, 1_769_850_000_300L, false),
                0,
                "c",
                Map.of("b", "2", "a", "1"),
                "application/json; charset=utf-8",
                "{ \"n\": 1.0 }".getBytes(StandardCharsets.UTF_8));

        // when
        String json = EventJson.write(new StoredEvent(event, 1_769_850_004_000L, 3, false))
                .toString();

        // then
        assertThat(json).isEqualTo("""
                        {"stream":"orders/eu-1","id":"e-1","type":"order","status":"done","protected":false,\
                        "storedAt":"2026-01-31T09:00:04.000Z","occurredAt":"2026-01-31T09:00:00.001Z",\
                        "completedAt":"2026-01-31T09:00:00.020Z","ttlSeconds":60,"noExpiration":false,\
                        "expiresAt":"2026-01-31T09:00:00.300Z","execution":0,"correlationId":"c",\
                        "metadata":{"a":"1","b":"2"},"contentType":"application/json; charset=utf-8","bytes":%d,\
                        "payload":{"n":1.0}}""".formatted(event.sizeBytes()));
    }

    @Test
    void shouldShowAPayloadWhateverItsNames() {
        String payload = CollidingNames.json(CollidingNames.forJackson(1000));

        assertThat(EventJson.write(new StoredEvent(event("application/json", payload), 0, 0, true))
                        .toString())
                .endsWith(",\"payload\":" + payload + "}");
    }

    @Test
    void shouldLeaveOutWhatAnEventDoesNotHave() {
        assertThat(EventJson.write(new StoredEvent(event(null, ""), 0, 0, true)).toString())
                .isEqualTo("""
                        {"stream":"s","id":"i","type":"","status":"pending","protected":true,\
                        "storedAt":"1970-01-01T00:00:00.000Z","occurredAt":"1970-01-01T00:00:00.001Z",\
                        "noExpiration":false,"execution":0,"metadata":{},"bytes":73}""");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    application/json | {"a":1e3} | "payload":{"a":1e3}
                    application/json | {"a": | "payloadBase64":"eyJhIjo="
                    application/json | {} {} | "payloadBase64":"e30ge30="
                    application/cloudevents+json | [1.10] | "payload":[1.10]
                    text/plain | a"b | "payload":"a\\"b"
                    TEXT/HTML;x=y | <p> | "payload":"<p>"
                    `` | text | "payload":"text"
                    image/png | text | "payloadBase64":"dGV4dA=="
                    """)
    void shouldShowPayloadsByTheirContentType(String contentType, String payload, String shown) {
        assertThat(EventJson.write(new StoredEvent(event(contentType, payload), 0, 0, true))
                        .toString())
                .endsWith(shown + "}");
    }

    @Test
    void shouldShowBytesThatAreNoUtf8AsBase64() {
        // given
        Event event = new Event(
                new StreamName("s"),
                new EventId("i"),
                "",
                "pending",
                1L,
                null,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                "text/plain",
                new byte[] {(byte) 0xFF});

        // when
        String json = EventJson.write(new StoredEvent(event, 0, 0, true)).toString();

        // then
        assertThat(json).contains("\"payloadBase64\":\"/w==\"");
    }

    private static Event event(String contentType, String payload) {
        return new Event(
                new StreamName("s"),
                new EventId("i"),
                "",
                "pending",
                1L,
                null,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                contentType,
                payload.getBytes(StandardCharsets.UTF_8));
    }
}
