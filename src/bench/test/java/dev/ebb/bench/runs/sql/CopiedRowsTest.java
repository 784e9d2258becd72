package dev.ebb.bench.runs.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.load.EventGenerator;
import dev.ebb.bench.stack.sql.MirrorChanges.Change;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.postgresql.core.Oid;

/** The server takes the bytes in `B-12 --once`, and the rows are compared there; this shows what they are. */
class CopiedRowsTest {

    private static final long STORED_AT =
            Instant.parse("2000-01-01T00:00:00.002Z").toEpochMilli();

    @Test
    void shouldWriteTheBinaryFormOfCopy() {
        // when
        ByteBuffer rows = ByteBuffer.wrap(CopiedRows.rows(List.of(change("é"))));

        // then
        assertThat(rows.get()).isEqualTo((byte) 'P');
        rows.position(11 + 2 * Integer.BYTES);
        assertThat(rows.getShort()).isEqualTo((short) 15);
        assertThat(longOf(next(rows))).isEqualTo(2000);
        assertThat(next(rows)).asString(StandardCharsets.UTF_8).isEqualTo("bench/a");
        assertThat(next(rows)).asString(StandardCharsets.UTF_8).isEqualTo("é");
        assertThat(next(rows)).asString(StandardCharsets.UTF_8).isEqualTo("bench");
        next(rows);
        assertThat(next(rows)).asString(StandardCharsets.UTF_8).isEqualTo(EventGenerator.COMPLETED);
        assertThat(next(rows)).containsExactly(1);
        assertThat(longOf(next(rows))).isEqualTo(-1000);
        assertThat(longOf(next(rows))).isEqualTo(2000);
        assertThat(next(rows)).containsExactly(0);
        assertThat(longOf(next(rows))).isZero();
        next(rows);
        assertThat(next(rows)).containsExactly(1, '{', '}');
        assertThat(next(rows)).containsExactly(7, 8);
        assertThat(longOf(next(rows))).isPositive();
        assertThat(rows.getShort()).isEqualTo((short) -1);
        assertThat(rows.hasRemaining()).isFalse();
    }

    @Test
    void shouldWriteTheBinaryFormOfArrays() {
        // when
        byte[] bytes = CopiedRows.array(
                List.of(change("a"), change("bc")),
                Oid.TEXT,
                (to, change) -> to.text(change.event().event().id().value()));

        // then
        ByteBuffer array = ByteBuffer.wrap(bytes);
        assertThat(new int[] {array.getInt(), array.getInt(), array.getInt(), array.getInt(), array.getInt()})
                .containsExactly(1, 0, Oid.TEXT, 2, 1);
        assertThat(next(array)).asString(StandardCharsets.UTF_8).isEqualTo("a");
        assertThat(next(array)).asString(StandardCharsets.UTF_8).isEqualTo("bc");
        assertThat(array.hasRemaining()).isFalse();
    }

    @Test
    void shouldWriteNulls() {
        // when
        byte[] bytes = new BinaryValues(16).time(null).text(null).toBytes();

        // then
        assertThat(bytes).containsExactly(-1, -1, -1, -1, -1, -1, -1, -1);
    }

    @Test
    void shouldGrowWithWhatIsPut() {
        // when
        byte[] bytes =
                new BinaryValues(1).number(1).number(2).bytes(new byte[100]).toBytes();

        // then
        assertThat(bytes).hasSize(12 + 12 + 104);
        assertThat(Arrays.copyOf(bytes, 24))
                .containsExactly(0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 2);
    }

    private static Change change(String id) {
        var event = EventGenerator.event(
                new StreamName("bench/a"),
                new EventId(id),
                EventGenerator.COMPLETED,
                STORED_AT - 3,
                OwnTtl.NONE,
                new byte[] {7, 8});
        return new Change(new StoredEvent(event.withCompletedAt(STORED_AT), STORED_AT, 0, false), false);
    }

    private static byte[] next(ByteBuffer values) {
        byte[] value = new byte[values.getInt()];
        values.get(value);
        return value;
    }

    private static long longOf(byte[] value) {
        return ByteBuffer.wrap(value).getLong();
    }
}
