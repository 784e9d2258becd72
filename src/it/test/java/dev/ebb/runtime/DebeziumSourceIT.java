package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.source.SourceMapping;
import dev.ebb.domain.source.SourceOutcome;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.runtime.plugins.ConnectReaders;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.serde.text.PolicyFile;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** The transformations of Debezium, from the folder of plugins that an installation has for its Connect worker. */
@Tag("F-3")
@TestInstance(Lifecycle.PER_CLASS)
class DebeziumSourceIT {

    private static final long NOW = 1_795_953_600_000L;

    private final Path plugins = Path.of(System.getProperty("ebb.home", ""), "target", "ebb", "connect", "plugins")
            .toAbsolutePath();
    private final SourceFormats formats = new SourceFormats(() -> null, () -> new ConnectReaders(List.of(plugins)));

    @AfterAll
    void close() {
        formats.close();
    }

    @Test
    void shouldReadTheRowsOfATableThatDebeziumCaptures() {
        // given
        SourceMapping jobs = mapping("""
                sources:
                  - name: jobs
                    topic: shop.public.jobs
                    as: table
                    stream: "jobs/{value.queue}"
                    status: {from: value.state, map: {DONE: completed}}
                    completedAt: value.done_at
                    value:
                      converter: org.apache.kafka.connect.json.JsonConverter
                      transforms:
                        - type: io.debezium.transforms.ExtractNewRecordState
                          options: {delete.tombstone.handling.mode: tombstone}
                """);

        // when
        Event event = event(jobs.map(
                record(change(
                        "u",
                        "null",
                        "{\"id\": 1, \"queue\": \"mail\", \"state\": \"DONE\", \"done_at\":" + " 1795950000000000}")),
                NOW));
        SourceOutcome deleted = jobs.map(record(change("d", "{\"id\": 1, \"queue\": \"mail\"}", "null")), NOW);

        // then
        assertThat(event.stream().value()).isEqualTo("jobs/mail");
        assertThat(event.status()).isEqualTo("completed");
        assertThat(event.completedAt()).isEqualTo(1_795_950_000_000L);
        assertThat(deleted).isInstanceOf(SourceOutcome.Gone.class);
        assertThat(jobs.map(record(null), NOW)).isInstanceOf(SourceOutcome.Gone.class);
    }

    @Test
    void shouldReadTheEventsOfAnOutbox() {
        // given
        SourceMapping outbox = mapping("""
                sources:
                  - name: outbox
                    topic: shop.public.outbox
                    as: log
                    id: "{header.id}"
                    stream: "outbox/{key}"
                    type: "{value.kind}"
                    value:
                      converter: org.apache.kafka.connect.json.JsonConverter
                      transforms:
                        - type: io.debezium.transforms.outbox.EventRouter
                          options: {table.expand.json.payload: true}
                """);

        // when
        Event event = event(outbox.map(record("""
                {"schema": {"type": "struct", "name": "e.Envelope", "fields": [
                   {"field": "before", "type": "struct", "optional": true, "fields": []},
                   {"field": "after", "type": "struct", "optional": true, "fields": [
                     {"field": "id", "type": "string"}, {"field": "aggregatetype", "type": "string"},
                     {"field": "aggregateid", "type": "string"}, {"field": "type", "type": "string"},
                     {"field": "payload", "type": "string"}]},
                   {"field": "op", "type": "string"}, {"field": "ts_ms", "type": "int64"}]},
                 "payload": {"before": null, "op": "c", "ts_ms": 1, "after": {"id": "e-1", "aggregatetype": "order",
                   "aggregateid": "42", "type": "OrderShipped", "payload": "{\\"kind\\": \\"shipped\\"}"}}}"""), NOW));

        // then
        assertThat(event.stream().value()).isEqualTo("outbox/42");
        assertThat(event.id().value()).isEqualTo("e-1");
        assertThat(event.type()).isEqualTo("shipped");
    }

    private static String change(String op, String before, String after) {
        String row = "\"optional\": true, \"type\": \"struct\", \"fields\": [{\"field\": \"id\", \"type\": \"int32\"},"
                + " {\"field\": \"queue\", \"type\": \"string\"},"
                + " {\"field\": \"state\", \"type\": \"string\", \"optional\": true},"
                + " {\"field\": \"done_at\", \"type\": \"int64\", \"optional\": true,"
                + " \"name\": \"io.debezium.time.MicroTimestamp\"}]";
        return "{\"schema\": {\"type\": \"struct\", \"name\": \"shop.public.jobs.Envelope\", \"fields\": ["
                + "{\"field\": \"before\", " + row + "}, {\"field\": \"after\", " + row
                + "}, {\"field\": \"op\", \"type\": \"string\"}]}, \"payload\": {\"before\": " + before
                + ", \"after\": "
                + after + ", \"op\": \"" + op + "\"}}";
    }

    private SourceMapping mapping(String text) {
        PolicyFile file = PolicyFile.read(text);
        assertThat(file.problems()).isEmpty();
        return new SourceMapping(
                file.sources().get(0), formats.reader(file.sources().get(0)));
    }

    private static SourceRecord record(String value) {
        return new SourceRecord(
                "shop.public.jobs",
                0,
                7,
                NOW,
                "1".getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8),
                List.of());
    }

    private static Event event(SourceOutcome outcome) {
        assertThat(outcome).as(outcome.toString()).isInstanceOf(SourceOutcome.Taken.class);
        return ((SourceOutcome.Taken) outcome).event();
    }
}
