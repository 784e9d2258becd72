package dev.ebb.undo;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.TestSeals;
import dev.ebb.topology.trash.TrashKey;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What waits in the trash, read for an undo. */
@Tag("T-5")
class TrashReadingTest {

    private static final TopicPartition PARTITION = new TopicPartition("ebb.trash", 3);
    private static final long NOW_MS = 1_000_000;
    private static final UndoFilter FILTER = new UndoFilter("c-1", null, null, null, null, null, null, null);

    private final TrashReading reading = new TrashReading(PARTITION, FILTER, "u-1", TestSeals.guard());
    private final List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();

    @Test
    void shouldTakeTheNewestDeletionOfEachIdThatIsStillThere() {
        // given
        deleted("a", 1, "c-1", NOW_MS + 1);
        deleted("b", 1, "c-1", NOW_MS + 2);
        deleted("b", 2, "c-1", NOW_MS + 3);
        deleted("c", 1, "c-2", NOW_MS + 4);
        deleted("d", 1, "c-1", NOW_MS);
        takenOut("a", 1, 0);
        run();

        // then
        assertThat(reading.problem()).isNull();
        assertThat(reading.isIndexed()).isTrue();
        assertThat(reading.isDone()).isFalse();
        assertThat(reading.take(10))
                .extracting(found -> found.key().id() + found.key().number() + " " + found.isSuperseded())
                .containsExactly("b1 true", "b2 false", "d1 false");
        assertThat(reading.isDone()).isTrue();
    }

    /** The same key again: an event that came back and was deleted once more (T-2). */
    @Test
    void shouldNotTakeATombstoneForALaterDeletion() {
        // given
        deleted("a", 1, "c-1", NOW_MS + 1);
        deleted("a", 1, "c-1", NOW_MS + 9);
        takenOut("a", 1, 0);
        run();

        // then
        assertThat(reading.take(10)).singleElement().satisfies(found -> assertThat(found.offset())
                .isEqualTo(1));
    }

    @Test
    void shouldSayWhyItCannotRead() {
        // given
        MockConsumer<byte[], byte[]> log = new MockConsumer<>("earliest");
        log.assign(List.of(PARTITION));
        log.updateBeginningOffsets(Map.of(PARTITION, 0L));
        log.updateEndOffsets(Map.of(PARTITION, 1L));
        log.setPollException(new TopicAuthorizationException("no rights"));

        // when
        reading.run(() -> log);

        // then
        assertThat(reading.problem()).contains("ebb.trash-3", "no rights");
        assertThat(reading.isDone()).isFalse();
    }

    private static StoredEvent stored(String id, long storedAt) {
        return new StoredEvent(
                event("orders/1", id).occurredAt(1L).completedAt(1L).build(), storedAt, storedAt, false);
    }

    private void deleted(String id, long storedAt, String command, long untilMs) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.CAUSE, "DELETE");
        EbbHeaders.set(headers, EbbHeaders.SCOPE, "command");
        EbbHeaders.set(headers, EbbHeaders.COMMAND_ID, command);
        EbbHeaders.set(headers, EbbHeaders.UNDO_UNTIL, untilMs);
        StoredEvent stored = stored(id, storedAt);
        add(id, storedAt, StoredEventCodec.encode(stored, stored.sizeBytes()), headers);
    }

    private void takenOut(String id, long storedAt, long offset) {
        RecordHeaders headers = new RecordHeaders();
        EbbHeaders.set(headers, EbbHeaders.TRASH_OFFSET, offset);
        add(id, storedAt, null, headers);
    }

    private void add(String id, long storedAt, byte @Nullable [] value, RecordHeaders headers) {
        byte[] key = TrashKey.ofEvent(new StreamName("orders/1"), storedAt, id)
                .withSerial(records.size() + 1)
                .encode();
        records.add(new ConsumerRecord<>(
                PARTITION.topic(),
                PARTITION.partition(),
                records.size(),
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                key,
                value,
                TestSeals.sealed(key, value, headers),
                Optional.empty()));
    }

    /** Both readings see all records: the mock forgets those that it has shown. */
    private void run() {
        reading.run(this::prepared);
    }

    private MockConsumer<byte[], byte[]> prepared() {
        MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
        consumer.assign(List.of(PARTITION));
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, (long) records.size()));
        for (int reads = 0; reads < 2; reads++) {
            consumer.schedulePollTask(() -> records.forEach(consumer::addRecord));
        }
        return consumer;
    }
}
