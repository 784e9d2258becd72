package dev.ebb.serde.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.source.Source;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources as they are written to the topic of policies and into files. */
@Tag("F-1")
class SourceWriterTest {

    private static final String FULL = """
            {"name": "orders", "topic": "shop.orders", "as": "table", "key": "json",
             "value": {"converter": "a.B$C", "options": {"x": "1"},
                       "transforms": [{"type": "t.One", "options": {"y": "2"}}, {"type": "t.Two"}]},
             "stream": "orders/{value.a.b}-{key.c}", "type": "order-{value.kind}",
             "status": {"from": "value.state", "map": {"DONE": "completed", "NO": "cancelled"}},
             "occurredAt": "value.at", "completedAt": {"from": "value.end", "unit": "us"},
             "expiresAt": {"from": "value.until", "unit": "days", "plus": "90061001ms"},
             "correlationId": "header.trace", "metadata": {"user": "value.u", "at": "record.offset"},
             "keep": "payload", "from": "2026-01-02T03:04:05Z", "target": {"tombstones": {"topic": "gone"}},
             "paused": true}
            """;

    @ParameterizedTest
    @ValueSource(
            strings = {
                FULL,
                "{\"name\": \"a\", \"topic\": \"t\", \"as\": \"table\", \"stream\": \"s\"}",
                "{\"name\": \"a\", \"topic\": \"t\", \"as\": \"table\", \"stream\": \"s\", \"from\": \"latest\","
                        + " \"target\": {\"tombstones\": \"same\"}}",
                "{\"name\": \"l\", \"topic\": \"t\", \"as\": \"log\", \"value\": \"bytes\", \"key\": \"avro\","
                        + " \"stream\": \"s\", \"id\": \"{record.partition}/{record.offset}\", \"target\": \"truncate\"}"
            })
    void shouldWriteWhatReadsAsTheSameSource(String declaration) {
        // given
        Source source = source(declaration);

        // when
        byte[] written = SourceJson.write(source).toString().getBytes(UTF_8);

        // then
        assertThat(SourceJson.read(written).problems()).isEmpty();
        assertThat(SourceJson.read(written).source()).contains(source);
    }

    @Test
    void shouldLeaveOutUsualValues() {
        String plain = "{\"name\":\"a\",\"topic\":\"t\",\"as\":\"table\",\"stream\":\"s\"}";
        assertThat(SourceJson.write(source(plain)).toString()).isEqualTo(plain);
    }

    private static Source source(String declaration) {
        ParsedSource parsed = SourceJson.read(declaration.getBytes(UTF_8));
        assertThat(parsed.problems()).isEmpty();
        return parsed.source().orElseThrow();
    }
}
