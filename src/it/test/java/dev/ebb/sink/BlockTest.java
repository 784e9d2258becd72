package dev.ebb.sink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.mirror.RowBlock;
import dev.ebb.serde.mirror.RowForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks as the engine writes them are read by the sink as the changes that were put into them, in their order. */
@Tag("A-14")
class BlockTest {

    private static final Headers WHY = new RecordHeaders().add("ebb-cause", "MAX_AGE".getBytes(UTF_8));
    private static final Headers OTHER = new RecordHeaders().add("ebb-cause", "MAX_COUNT".getBytes(UTF_8));

    private final MirrorRows rows = new MirrorRows(RowForm.BLOCKS);
    private final RowBlock block = new RowBlock();

    @Test
    void shouldGiveBackEveryChangeInItsOrder() throws BadRowException {
        Random random = new Random(20261125);
        for (int round = 0; round < 200; round++) {
            // given
            List<String> expected = new ArrayList<>();
            for (int i = random.nextInt(40); i >= 0; i--) {
                byte[] key = rows.eventKey(random.nextInt(3), "s".repeat(random.nextInt(300)), "e" + random.nextInt(9));
                if (random.nextInt(3) == 0) {
                    byte[] row = row(random.nextInt(400));
                    block.put(key, row, random.nextLong());
                    expected.add(hex(key) + " " + hex(row));
                } else {
                    block.delete(key, random.nextInt(3) > 0 ? WHY : OTHER, i);
                    expected.add(hex(key) + " gone");
                }
            }

            // then
            assertThat(read(block.take())).isEqualTo(expected);
            assertThat(block.isEmpty()).isTrue();
        }
    }

    /** A record of which nothing can be read says nothing of a delete. */
    @Test
    @Tag("O-24")
    void shouldCallOnlyADeleteADelete() {
        assertThat(changes("k".getBytes(UTF_8), null))
                .extracting(Change::isDelete)
                .containsExactly(true);
        assertThat(changes("k".getBytes(UTF_8), new byte[] {1}))
                .extracting(Change::isDelete)
                .containsExactly(false);
        assertThat(changes(null, "no block".getBytes(UTF_8)))
                .extracting(Change::isDelete)
                .containsExactly(false);
    }

    private static List<Change> changes(byte @Nullable [] key, byte @Nullable [] value) {
        return Change.of(new SinkRecord("t", 0, null, key, null, value, 0, 0L, TimestampType.CREATE_TIME));
    }

    @Test
    void shouldNameWhatARunHasInCommonOnce() {
        // given
        String stream = "s".repeat(200);
        block.delete(rows.eventKey(1_790_000_000_000L, stream, "e-0"), WHY, 7);
        int first = block.sizeBytes();

        // when
        for (int i = 1; i <= 100; i++) {
            block.delete(rows.eventKey(1_790_000_000_000L, stream, "e-" + i), WHY, 7);
        }

        // then
        assertThat(block.changes()).isEqualTo(101);
        assertThat(block.sizeBytes() - first).isLessThan(100 * 13);
    }

    @Test
    void shouldCarryAReasonOnceForARun() {
        block.delete(rows.eventKey(1, "s", "a"), WHY, 7);
        int one = block.sizeBytes();
        block.delete(rows.eventKey(1, "s", "b"), WHY, 7);
        int two = block.sizeBytes();
        block.delete(rows.eventKey(1, "s", "c"), OTHER, 7);

        assertThat(two - one).isEqualTo(7);
        assertThat(new String(block.take(), UTF_8)).contains("MAX_AGE", "MAX_COUNT");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "02 04", // less than the length says
                "02 01", // a time without a key
                "02 00", // no time, and no reason
                "02 01 03 02 61", // a key without a row
                "02 01 02 00 00", // the value of a key that is not there
                "02 01 02 80 00", // half a length in a key
                "02 ff ff ff ff 7f"
            })
    void shouldRefuseWhatIsNoBlock(String bytes) {
        byte[] broken = HexFormat.of().parseHex(bytes.replace(" ", ""));

        assertThatThrownBy(() -> read(broken)).isInstanceOf(BadRowException.class);
    }

    @Test
    void shouldTellABlockFromAKeyAndFromJson() {
        block.delete(rows.eventKey(1, "s", "a"), WHY, 7);

        assertThat(Block.isBlock(block.take())).isTrue();
        assertThat(Block.isBlock(rows.eventKey(1, "s", "a"))).isFalse();
        assertThat(Block.isBlock("{}".getBytes(UTF_8))).isFalse();
        assertThat(Block.isBlock(new byte[0])).isFalse();
    }

    private static List<String> read(byte[] bytes) throws BadRowException {
        List<String> changes = new ArrayList<>();
        Block read = new Block(bytes);
        while (read.next()) {
            byte[] row = read.row();
            changes.add(hex(read.key()) + " " + (row == null ? "gone" : hex(row)));
        }
        return changes;
    }

    private static byte[] row(int bytes) {
        byte[] row = new byte[1 + bytes];
        Arrays.fill(row, (byte) 7);
        row[0] = 1;
        return row;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }
}
