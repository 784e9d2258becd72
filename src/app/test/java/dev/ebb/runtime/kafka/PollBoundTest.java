package dev.ebb.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.runtime.unpacking.LongValue;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.Deserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A poll takes no more records than a small heap bears, however well they are compressed. */
@Tag("O-20")
class PollBoundTest {

    private static final int MOST_VALUE = 1000;
    private static final int POLL = (int) PollBound.POLL_BYTES;

    private final PollBound small = new PollBound(MOST_VALUE);
    private final PollBound big = new PollBound(Integer.MAX_VALUE);

    @Test
    void shouldLeaveOutValuesOverTheLimitWithSizeAndHash() {
        for (int more : new int[] {-1, 0, 1}) {
            // given
            Headers headers = new RecordHeaders();

            // when
            byte[] read = value(small, headers, MOST_VALUE + more);

            // then
            assertThat(read).hasSize(more > 0 ? 0 : MOST_VALUE + more);
            assertThat(headers.lastHeader("ebb-left-out") != null).isEqualTo(more > 0);
        }
    }

    @Test
    void shouldNoteTheHashOfTheValueAlone() {
        // given a value that is a part of the memory of its record
        Headers headers = new RecordHeaders();
        ByteBuffer data = ByteBuffer.allocate(5000).position(10).limit(10 + 1001);

        // when
        small.values().deserialize("t", headers, data);

        // then the mark holds the hash that sha256sum prints for 1001 zeros
        assertThat(new String(headers.lastHeader("ebb-left-out").value(), StandardCharsets.UTF_8))
                .isEqualTo("1001 " + sha256Of(new byte[1001]));
    }

    @Test
    void shouldTakeNoMarkOfAnotherProcess() {
        // given
        Headers headers =
                new RecordHeaders().add("ebb-left-out", new byte[] {1}).add("h", new byte[] {2});

        // when
        byte[] read = value(small, headers, 5);

        // then
        assertThat(read).hasSize(5);
        assertThat(headers.lastHeader("ebb-left-out")).isNull();
        assertThat(headers.lastHeader("h")).isNotNull();
    }

    @Test
    void shouldEndThePollWhenItHasEnough() {
        for (int more : new int[] {-1, 0, 1}) {
            // given
            big.beginPoll();
            value(big, new RecordHeaders(), POLL / 2);
            Runnable next = () -> value(big, new RecordHeaders(), POLL / 2 + more);

            // when
            if (more <= 0) {
                next.run();
            } else {
                assertThatThrownBy(next::run).isInstanceOf(SerializationException.class);
                assertThatThrownBy(next::run).isInstanceOf(SerializationException.class);
            }

            // then the record comes with the next poll
            big.beginPoll();
            next.run();
        }
    }

    @Test
    void shouldTakeTheFirstRecordHoweverBigItIs() {
        // when
        big.beginPoll();
        key(big, new RecordHeaders(), 10);
        byte[] first = value(big, new RecordHeaders().add("h", new byte[POLL]), POLL + 1);

        // then
        assertThat(first).hasSize(POLL + 1);
        assertThatThrownBy(() -> key(big, new RecordHeaders(), 1)).isInstanceOf(SerializationException.class);
    }

    @Test
    void shouldCountKeysAndHeaders() {
        // given a record without a value
        big.beginPoll();
        key(big, new RecordHeaders().add("h", new byte[POLL / 2]), POLL / 2 - 1);

        // when the next one has no value either
        assertThatThrownBy(() -> key(big, new RecordHeaders(), 1)).isInstanceOf(SerializationException.class);

        // then
        big.beginPoll();
        assertThat(key(big, new RecordHeaders(), 1)).hasSize(1);
    }

    @Test
    void shouldNotCountAValueThatItLeavesOut() {
        // given
        small.beginPoll();

        // when
        for (int i = 0; i < 5; i++) {
            assertThat(value(small, new RecordHeaders(), POLL / 2)).isEmpty();
        }

        // then there is room for other records
        assertThat(value(small, new RecordHeaders(), 10)).hasSize(10);
    }

    @Test
    void shouldCountTheHeadersOfRecordsThatItLeavesOutWithoutAKey() {
        // given
        small.beginPoll();
        value(small, new RecordHeaders().add("h", new byte[POLL / 2]), MOST_VALUE + 1);

        // when
        Headers headers = new RecordHeaders().add("h", new byte[POLL / 2]);

        // then
        assertThatThrownBy(() -> value(small, headers, MOST_VALUE + 1)).isInstanceOf(SerializationException.class);
    }

    @Test
    void shouldEndThePollWhenItHasLeftOutEnough() throws Exception {
        for (int more : new int[] {-1, 0, 1}) {
            // given
            int half = (int) (PollBound.PASSED_BYTES / 2);
            ByteBuffer first = notKept(half);
            ByteBuffer second = notKept(half + more);
            Headers headers = new RecordHeaders();
            small.beginPoll();
            small.values().deserialize("t", new RecordHeaders(), first);

            // when
            if (more > 0) {
                assertThatThrownBy(() -> small.values().deserialize("t", headers, second))
                        .isInstanceOf(SerializationException.class);
                small.beginPoll();
            }

            // then
            assertThat(small.values().deserialize("t", headers, second)).isEmpty();
            assertThat(new String(headers.lastHeader("ebb-left-out").value(), StandardCharsets.UTF_8))
                    .isEqualTo(half + more + " " + sha256Of(new byte[7]));
        }
    }

    private static ByteBuffer notKept(int bytes) throws Exception {
        return ByteBuffer.wrap(LongValue.instead(
                bytes, java.security.MessageDigest.getInstance("SHA-256").digest(new byte[7])));
    }

    private static byte[] key(PollBound intake, Headers headers, int bytes) {
        return read(intake.keys(), headers, bytes);
    }

    private static byte[] value(PollBound intake, Headers headers, int bytes) {
        return read(intake.values(), headers, bytes);
    }

    private static byte[] read(Deserializer<byte[]> part, Headers headers, int bytes) {
        return part.deserialize("t", headers, ByteBuffer.allocate(bytes));
    }

    private static String sha256Of(byte[] bytes) {
        try {
            return java.util.HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
