package dev.ebb.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.ProjectFiles;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.mirror.RowForm;
import dev.ebb.sink.Batch.Row;
import dev.ebb.sink.DescribedTable.Column;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows as the engine writes them reach SQL as the same values, whatever their form. */
@Tag("A-14")
class RowFormsTest {

    private static final long T0 = 1_790_000_000_123L;

    private final MirrorRows plain = new MirrorRows(RowForm.JSON);
    private final MirrorRows compact = new MirrorRows(RowForm.COMPACT);
    private final Random random = new Random(20261125);

    @Test
    void shouldGiveTheDatabaseTheSameEvent() throws IOException {
        RowEncoder encoder = encoder("events", 3);
        for (int i = 0; i < 1000; i++) {
            StoredEvent event = event();

            assertThat(copied(encoder, key(compact, event), compact.eventRow(event)))
                    .isEqualTo(copied(encoder, key(plain, event), plain.eventRow(event)));
        }
    }

    @Test
    void shouldGiveTheDatabaseTheSameExecution() throws IOException {
        RowEncoder encoder = encoder("executions", 2);
        StreamName stream = new StreamName("jobs/😀");
        Execution done = new Execution(Long.MAX_VALUE, "", true, -5L, null);

        assertThat(copied(
                        encoder,
                        compact.executionKey(stream, Long.MAX_VALUE),
                        compact.executionRow(stream, done, stream)))
                .isEqualTo(copied(
                        encoder, plain.executionKey(stream, Long.MAX_VALUE), plain.executionRow(stream, done, stream)));
    }

    @Test
    void shouldTellTheFormsApart() {
        StoredEvent event = event();

        assertThat(CompactValues.isCompact(key(compact, event))).isTrue();
        assertThat(CompactValues.isCompact(compact.eventRow(event))).isTrue();
        assertThat(CompactValues.isCompact(key(plain, event))).isFalse();
        assertThat(CompactValues.isCompact(new byte[0])).isFalse();
        assertThat(CompactValues.isCompact(" {}".getBytes(UTF_8))).isFalse();
    }

    private static byte[] key(MirrorRows rows, StoredEvent event) {
        return rows.eventKey(
                event.storedAt(),
                event.event().stream().value(),
                event.event().id().value());
    }

    private static byte[] copied(RowEncoder encoder, byte[] key, byte[] row) throws IOException {
        CopyBuffer out = new CopyBuffer();
        encoder.encode(new Row(new TopicPartition("things", 0), key, row), out);
        return Arrays.copyOf(out.array(), out.length());
    }

    /** A table with the columns of a connector; the order in the database is another one. */
    private static RowEncoder encoder(String connector, int keyColumns) throws IOException {
        List<String> names = List.of(new ObjectMapper()
                .readTree(ProjectFiles.file("config/connect/ebb/ebb-" + connector + ".json")
                        .toFile())
                .at("/config/columns")
                .asText()
                .split(","));
        List<Column> columns = names.stream()
                .sorted()
                .map(name -> new Column(name, type(name)))
                .toList();
        List<Column> key = names.subList(0, keyColumns).stream()
                .map(name -> new Column(name, type(name)))
                .toList();
        return new RowEncoder(new DescribedTable("t", columns, key), names);
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
                random.nextBoolean()
                        ? Map.of()
                        : Map.of("k", text.replaceAll("[\n\r\t]", ""), "\"\\/\b", "\u001F\u007F😀"),
                null,
                text.repeat(random.nextInt(20)).getBytes(UTF_8));
        return new StoredEvent(event, T0 + random.nextInt(), 0, event.completedAt() == null);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(40); i > 0; i--) {
            text.append((char) random.nextInt(random.nextInt(4) == 0 ? 0x10000 : 0x80));
        }
        return text.toString();
    }
}
