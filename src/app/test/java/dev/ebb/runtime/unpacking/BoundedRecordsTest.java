package dev.ebb.runtime.unpacking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.DefaultRecordBatch;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.apache.kafka.common.utils.internals.BufferSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A record beyond the limit is not unpacked; all other records are as Kafka reads them. */
@Tag("O-20")
class BoundedRecordsTest {

    private static final int MOST = 200_000;
    private static final Header[] NO_HEADERS = {};

    @ParameterizedTest
    @EnumSource(CompressionType.class)
    void shouldReadShortRecordsAsKafkaDoes(CompressionType compression) {
        // given
        Random random = new Random(7);
        List<SimpleRecord> records = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Header[] headers = new Header[random.nextInt(4)];
            Arrays.setAll(headers, n -> new RecordHeader("h" + n, n == 1 ? null : bytes(n)));
            records.add(new SimpleRecord(
                    1000L + i * 10 - random.nextInt(500),
                    i % 5 == 0 ? null : bytes(random.nextInt(100)),
                    i % 7 == 0 ? null : bytes(random.nextInt(i % 10 == 1 ? MOST : 300)),
                    headers));
        }
        DefaultRecordBatch batch = batch(compression, records);

        // when
        List<Record> read = read(batch);

        // then
        List<Record> expected = new ArrayList<>();
        batch.streamingIterator(BufferSupplier.NO_CACHING).forEachRemaining(expected::add);
        assertThat(read).isEqualTo(expected).hasSize(60);
    }

    @Test
    void shouldKeepValuesUpToTheLimitAndTellSizeAndHashOfLongerOnes() throws Exception {
        for (int more : new int[] {-1, 0, 1, 2 * MOST, 100 * MOST}) {
            // given
            byte[] value = bytes(MOST + more);

            // when
            Record read = readOne(new SimpleRecord(5, bytes(3), value, NO_HEADERS));

            // then
            LongValue left = LongValue.of(read.value());
            if (more <= 0) {
                assertThat(left).isNull();
                assertThat(read.value()).isEqualTo(ByteBuffer.wrap(value));
            } else {
                assertThat(left).isEqualTo(new LongValue(value.length, sha256(value)));
                assertThat(read.sizeInBytes()).isLessThan(200);
            }
            assertThat(read.key()).isEqualTo(ByteBuffer.wrap(bytes(3)));
            assertThat(read.timestamp()).isEqualTo(5);
            assertThat(read.offset()).isEqualTo(40);
        }
    }

    @Test
    void shouldKeepTheStartOfALongKey() {
        for (int more : new int[] {-1, 0, 1, 2 * MOST}) {
            // when
            Record read = readOne(new SimpleRecord(5, bytes(MOST + more), null, NO_HEADERS));

            // then
            assertThat(read.key()).isEqualTo(ByteBuffer.wrap(bytes(MOST + Math.min(0, more))));
            assertThat(read.hasValue()).isFalse();
        }
    }

    @Test
    void shouldKeepHeadersUntilThereIsNoMoreRoom() {
        for (int more : new int[] {-1, 0, 1, 2 * MOST}) {
            // given ten bytes for each besides name and value
            Header[] headers = {
                new RecordHeader("a", bytes(100)),
                new RecordHeader("b", bytes(MOST - 122 + more)),
                new RecordHeader("c", null)
            };

            // when
            Record read = readOne(new SimpleRecord(5, null, bytes(1), headers));

            // then
            assertThat(read.headers()).hasSize(2);
            assertThat(read.headers()[0]).isEqualTo(headers[0]);
            assertThat(read.headers()[1].key()).isEqualTo("b");
            assertThat(read.headers()[1].value()).hasSize(MOST - 122 + Math.min(0, more));
            assertThat(read.value()).isEqualTo(ByteBuffer.wrap(bytes(1)));
        }
    }

    @Test
    void shouldKeepFewOfVeryManyHeaders() {
        // given two bytes each in the batch, and far more in memory
        Header[] headers = new Header[500_000];
        Arrays.fill(headers, new RecordHeader("", (byte[]) null));

        // when
        Record read = readOne(new SimpleRecord(5, null, bytes(1), headers));

        // then
        assertThat(read.headers()).hasSize(MOST / 10 - 1);
    }

    @Test
    void shouldCutALongNameOfAHeader() {
        // when
        Record read = readOne(new SimpleRecord(5, null, bytes(1), new Header[] {
            new RecordHeader("n".repeat(3 * MOST), bytes(5)), new RecordHeader("c", null)
        }));

        // then
        assertThat(read.headers()).hasSize(1);
        assertThat(read.headers()[0].key()).isEqualTo("n".repeat(MOST - 10));
        assertThat(read.headers()[0].value()).isEmpty();
    }

    @Test
    void shouldReadOnBehindALongRecord() {
        // when
        List<Record> read = read(batch(
                CompressionType.ZSTD,
                List.of(
                        new SimpleRecord(1, null, bytes(3 * MOST), NO_HEADERS),
                        new SimpleRecord(2, bytes(3 * MOST), bytes(3 * MOST), NO_HEADERS),
                        new SimpleRecord(3, bytes(1), bytes(2), NO_HEADERS))));

        // then
        assertThat(read).hasSize(3);
        assertThat(read.get(2).value()).isEqualTo(ByteBuffer.wrap(bytes(2)));
        assertThat(read.get(2).offset()).isEqualTo(42);
    }

    @Test
    void shouldTakeNoMarkOfAnotherProcess() {
        // given the mark of another process, as long as ours
        ByteBuffer forged = ByteBuffer.allocate(32 + 4 + 32);

        // then
        assertThat(LongValue.of(forged)).isNull();
        assertThat(LongValue.of(ByteBuffer.allocate(0))).isNull();
    }

    @Test
    void shouldRefuseABatchThatEndsTooEarly() {
        // given
        DefaultRecordBatch whole = batch(
                CompressionType.NONE,
                List.of(
                        new SimpleRecord(1, null, bytes(10), NO_HEADERS),
                        new SimpleRecord(2, null, bytes(3 * MOST), NO_HEADERS)));
        for (int missing : new int[] {1, MOST, 3 * MOST + 5}) {
            ByteBuffer part = ByteBuffer.allocate(whole.sizeInBytes());
            whole.writeTo(part);
            part.putInt(8, whole.sizeInBytes() - 12 - missing);
            DefaultRecordBatch cut = (DefaultRecordBatch)
                    MemoryRecords.readableRecords(part.position(0).limit(whole.sizeInBytes() - missing))
                            .batches()
                            .iterator()
                            .next();

            // then
            assertThatThrownBy(() -> read(cut)).isInstanceOf(InvalidRecordException.class);
        }
    }

    private static Record readOne(SimpleRecord record) {
        List<Record> read = read(batch(CompressionType.ZSTD, List.of(record)));
        assertThat(read).hasSize(1);
        return read.get(0);
    }

    private static List<Record> read(DefaultRecordBatch batch) {
        List<Record> read = new ArrayList<>();
        try (var records = new BoundedRecords(batch, BufferSupplier.NO_CACHING, MOST)) {
            records.forEachRemaining(read::add);
        }
        return read;
    }

    private static DefaultRecordBatch batch(CompressionType compression, List<SimpleRecord> records) {
        return (DefaultRecordBatch)
                MemoryRecords.withRecords(40, Compression.of(compression).build(), records.toArray(SimpleRecord[]::new))
                        .batches()
                        .iterator()
                        .next();
    }

    private static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (i / 1000);
        }
        return bytes;
    }

    private static String sha256(byte[] bytes) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
