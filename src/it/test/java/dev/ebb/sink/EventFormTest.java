package dev.ebb.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.sink.Batch.Row;
import dev.ebb.sink.DescribedTable.Column;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Events reach SQL as the same values from the log and from JSON. */
@Tag("A-14")
class EventFormTest {

    private static final long T0 = 1_790_000_000_123L;

    private final MirrorRows rows = new MirrorRows();
    private final Random random = new Random(20261125);

    @Test
    void shouldGiveTheDatabaseTheSameEvent() throws IOException {
        RowEncoder encoder = encoder();
        for (int i = 0; i < 1000; i++) {
            StoredEvent event = event();
            byte[] json = rows.eventRow(event);
            byte[] key = rows.eventKey(
                    event.storedAt(),
                    event.event().stream().value(),
                    event.event().id().value());

            assertThat(fromLog(encoder, event, i % 2 == 0)).isEqualTo(copied(encoder, key, json));
        }
    }

    /** @param isMarked true as it lies among those with an own TTL, or those that are protected */
    private static byte[] fromLog(RowEncoder encoder, StoredEvent event, boolean isMarked) throws IOException {
        byte[] stored = StoredEventCodec.encode(event, event.sizeBytes());
        Position position = new Position(0, 7, 0);
        Location location = new Location(isMarked ? Range.PINNED : Range.ORDERED, position, Location.NO_DUE, 0);
        byte[] value = location.mark(stored);
        byte[] stream = event.event().stream().value().getBytes(UTF_8);
        return copied(encoder, EventForm.keyOf(stream, value), value);
    }

    private static byte[] copied(RowEncoder encoder, byte[] key, byte[] row) throws IOException {
        CopyBuffer out = new CopyBuffer();
        encoder.encode(new Row(new TopicPartition("things", 0), key, row), out);
        return Arrays.copyOf(out.array(), out.length());
    }

    /** A table with the columns of the events; their order in a database may be any. */
    private static RowEncoder encoder() {
        List<Column> columns = MirrorTable.EVENTS.columns().stream()
                .map(column -> new Column(column.name(), type(column.name())))
                .toList();
        List<Column> key = Stream.of("stored_at", "stream", "event_id")
                .map(name -> new Column(name, type(name)))
                .toList();
        return new RowEncoder(new DescribedTable("t", columns, key));
    }

    private static ColumnType type(String column) {
        return switch (column) {
            case "stored_at", "occurred_at", "completed_at", "expires_at", "started_at" -> ColumnType.TIME;
            case "ttl_seconds", "execution", "size_bytes" -> ColumnType.NUMBER;
            case "terminal", "no_expiration" -> ColumnType.TRUTH;
            case "payload" -> ColumnType.BYTES;
            case "metadata" -> ColumnType.JSON;
            default -> ColumnType.TEXT;
        };
    }

    private StoredEvent event() {
        String text = text();
        Event event = new Event(
                new StreamName("s/" + random.nextInt()),
                new EventId("e" + random.nextInt()),
                text,
                random.nextBoolean() ? null : text(),
                random.nextLong(),
                random.nextBoolean() ? null : (Long) (T0 + random.nextInt()),
                random.nextBoolean() ? OwnTtl.NONE : OwnTtl.of((long) random.nextInt(1000), random.nextLong(T0), false),
                random.nextInt(100),
                random.nextBoolean() ? null : "",
                metadata(text),
                null,
                text.repeat(random.nextInt(20)).getBytes(UTF_8));
        return new StoredEvent(event, T0 + random.nextInt(), 0, event.completedAt() == null);
    }

    /** Metadata of producers, or the place of a record of a source: of a log, it has no key (F-8). */
    private Map<String, String> metadata(String text) {
        return switch (random.nextInt(4)) {
            case 0 -> Map.of();
            case 1 -> Map.of("k", text.replaceAll("[\n\r\t]", ""));
            case 2 -> Map.of(SourcePlace.METADATA, new SourcePlace("rows", "topic", 0, 7, new byte[] {1}).text());
            default -> Map.of(SourcePlace.METADATA, new SourcePlace("log", "topic", 0, 7, new byte[0]).text());
        };
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            // Half of a surrogate pair never passes the door.
            text.append((char) random.nextInt(random.nextInt(4) == 0 ? Character.MIN_SURROGATE : 0x80));
        }
        return text.toString();
    }
}
