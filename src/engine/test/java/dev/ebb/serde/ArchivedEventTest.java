package dev.ebb.serde;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.ArchivedEvent;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.EventRecords;
import dev.ebb.serde.records.FieldMap;
import dev.ebb.serde.schemas.EbbAvroDeserializer;
import dev.ebb.serde.schemas.EbbSchemas;
import dev.ebb.serde.schemas.WaitingSchemas;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records on the topic of archived events, as other programs find them. */
@Tag("O-3")
class ArchivedEventTest {

    private static final Event EVENT = new Event(
            new StreamName("orders/eu-1"),
            new EventId("e-1"),
            "paid",
            "completed",
            1L,
            2L,
            OwnTtl.of(3L, 4L, false),
            5,
            "c",
            Map.of("ключ", "значение"),
            "text/plain",
            "\0höl".getBytes(StandardCharsets.UTF_8));

    private final InMemorySchemaRegistry registry = new InMemorySchemaRegistry();
    private final AvroRecords records = AvroRecords.of(registry);
    private final EbbAvroDeserializer reader = new EbbAvroDeserializer(new WaitingSchemas(registry));

    @BeforeEach
    void prepare() {
        records.prepare();
    }

    @AfterEach
    void close() {
        records.close();
    }

    @Test
    void shouldHoldTheWholeEventSoThatItCanBeMadeAgain() {
        // when
        GenericRecord read = read(bySweep());

        // then
        assertThat(EventRecords.event(read, FieldMap.of(EbbSchemas.EVENT, read.getSchema())))
                .isEqualTo(EVENT);
        assertThat(EbbSchemas.ARCHIVED_EVENT.getFields())
                .extracting(Schema.Field::name)
                .containsAll(EbbSchemas.EVENT.getFields().stream()
                        .map(Schema.Field::name)
                        .toList());
    }

    @Test
    void shouldSayWhenAndWhyASweepDeletedIt() {
        // when
        GenericRecord read = read(bySweep());

        // then
        assertThat(read.get("storedAt")).isEqualTo(6L);
        assertThat(read.get("deletedAt")).isEqualTo(7L);
        assertThat(read.get("cause")).hasToString("MAX_AGE");
        assertThat(read.get("scope")).hasToString("namespace:orders");
        assertThat(read.get("policyVersion")).isEqualTo(8L);
        assertThat(read.get("sweepId")).hasToString("s-1");
        assertThat(read.get("commandId")).isNull();
    }

    @Test
    void shouldNameTheCommandThatDeletedAProtectedEvent() {
        // given
        Event running = new Event(
                EVENT.stream(), EVENT.id(), "", "running", 1L, null, OwnTtl.NONE, 0, null, Map.of(), null, new byte[0]);

        // when
        GenericRecord read = read(
                new ArchivedEvent(new StoredEvent(running, 6, 0, true), 7, RemovalCause.DELETE, "", null, null, "c-1"));

        // then
        assertThat(read.get("cause")).hasToString("DELETE");
        assertThat(read.get("scope")).hasToString("");
        assertThat(read.get("policyVersion")).isNull();
        assertThat(read.get("sweepId")).isNull();
        assertThat(read.get("commandId")).hasToString("c-1");
        assertThat(read.get("completedAt")).isNull();
        assertThat(EventRecords.event(read, FieldMap.of(EbbSchemas.EVENT, read.getSchema())))
                .isEqualTo(running);
    }

    @Test
    void shouldReadWhatWasArchived() {
        // given
        Event running = new Event(
                EVENT.stream(), EVENT.id(), "", "running", 1L, null, OwnTtl.NONE, 0, null, Map.of(), null, new byte[0]);
        ArchivedEvent byCommand =
                new ArchivedEvent(new StoredEvent(running, 6, 0, true), 7, RemovalCause.DELETE, "", null, null, "c-1");

        // then
        assertThat(records.readArchived(records.archived(bySweep()))).contains(bySweep());
        assertThat(records.readArchived(records.archived(byCommand))).contains(byCommand);
        assertThat(records.readArchived(records.event(EVENT))).isEmpty();
        assertThat(records.readArchived(new byte[] {1, 2})).isEmpty();
    }

    private static ArchivedEvent bySweep() {
        return new ArchivedEvent(
                new StoredEvent(EVENT, 6, 0, false), 7, RemovalCause.MAX_AGE, "namespace:orders", 8L, "s-1", null);
    }

    private GenericRecord read(ArchivedEvent event) {
        return (GenericRecord) reader.deserialize("ebb.archive", new RecordHeaders(), records.archived(event));
    }
}
