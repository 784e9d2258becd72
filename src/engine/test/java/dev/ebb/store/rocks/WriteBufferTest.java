package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

/** The form of a batch is that of RocksDB: should another version give it another one, this fails. */
@Tag("A-5")
class WriteBufferTest {

    @TempDir
    private File folder;

    @Test
    void shouldWriteABatchAsRocksDbDoesRecordsFirstAndLookupsByTheirKeys() {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            SeededCases.forAFew(100, random -> {
                WriteBuffer buffer = new WriteBuffer(database);
                List<Change> records = new ArrayList<>();
                List<Change> lookups = new ArrayList<>();
                for (int i = random.nextInt(50); i >= 0; i--) {
                    Change change = Change.random(random);
                    boolean isLookup = random.nextBoolean();
                    (isLookup ? lookups : records).add(change);
                    buffer.change(isLookup, change.key, change.value);
                }
                lookups.sort((one, other) -> Arrays.compareUnsigned(one.key, other.key));
                try (WriteBatch batch = new WriteBatch()) {
                    for (Change record : records) {
                        record.to(batch, database.records);
                    }
                    for (Change lookup : lookups) {
                        lookup.to(batch, database.lookups);
                    }
                    assertThat(buffer.toBatch()).isEqualTo(batch.data());
                } catch (RocksDBException e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @Test
    void shouldWriteARangeAsRocksDbDoes() throws RocksDBException {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory);
                WriteBatch batch = new WriteBatch()) {
            // given
            WriteBuffer buffer = new WriteBuffer(database);

            // when
            buffer.change(false, key(1), new byte[] {1});
            buffer.change(false, key(1000), null);
            for (int number = 1001; number < 1000 + WriteBuffer.MIN_RUN; number++) {
                buffer.deleteNext(key(number));
            }
            buffer.change(false, key(3), null);
            buffer.deleteNext(key(4));

            // then
            batch.put(database.records, key(1), new byte[] {1});
            byte[] last = key(999 + WriteBuffer.MIN_RUN);
            batch.deleteRange(database.records, key(1000), Arrays.copyOf(last, last.length + 1));
            batch.delete(database.records, key(3));
            batch.delete(database.records, key(4));
            assertThat(buffer.toBatch()).isEqualTo(batch.data());
        }
    }

    @Test
    void shouldWriteEveryChangeInItsOrder() throws RocksDBException {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            // given
            WriteBuffer buffer = new WriteBuffer(database);

            // when more than fits into one batch
            for (int i = 0; i < 9000; i++) {
                buffer.change(false, new byte[] {(byte) (i % 100)}, new byte[] {(byte) i});
            }
            buffer.change(false, new byte[] {7}, null);
            buffer.change(true, new byte[] {7}, new byte[2 << 20]);
            buffer.drain();

            // then
            assertThat(database.db.get(database.records, new byte[] {99})).containsExactly((byte) 8999);
            assertThat(database.db.get(database.records, new byte[] {7})).isNull();
            assertThat(database.db.get(database.lookups, new byte[] {7})).hasSize(2 << 20);
        }
    }

    @Test
    void shouldKnowTheLastChangeOfEachKeyUntilItIsDrained() {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            SeededCases.forAFew(20, random -> {
                // given
                WriteBuffer buffer = new WriteBuffer(database);
                Map<Integer, byte[]> expected = new HashMap<>();

                // when fewer than are drained by themselves
                for (int i = random.nextInt(2000); i >= 0; i--) {
                    int number = random.nextInt(2000);
                    byte[] value = random.nextInt(4) == 0 ? null : new byte[] {(byte) random.nextInt()};
                    buffer.change(number % 2 == 0, key(number), value);
                    expected.put(number, value);
                }

                // then
                for (int number = 0; number < 2000; number++) {
                    WriteBuffer.Change held = buffer.held(key(number));
                    assertThat(held != null).isEqualTo(expected.containsKey(number));
                    assertThat(held == null ? null : held.value()).isEqualTo(expected.get(number));
                }

                // when
                buffer.drain();

                // then
                assertThat(IntStream.range(0, 2000)).allMatch(number -> buffer.held(key(number)) == null);
            });
        }
    }

    @Test
    void shouldDrainByItselfAtManyChanges() {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            // given
            WriteBuffer buffer = new WriteBuffer(database);

            // when
            for (int i = 1; i < 2048; i++) {
                buffer.change(i % 2 == 0, key(i), null);
            }

            // then
            assertThat(buffer.held(key(1))).isNotNull();
            buffer.change(true, key(2048), null);
            assertThat(buffer.held(key(1))).isNull();
            assertThat(buffer.held(key(2048))).isNull();
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, true", "0, false", "1, false"})
    void shouldDrainByItselfAtManyBytes(int offset, boolean isHeld) {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            // given
            WriteBuffer buffer = new WriteBuffer(database);
            byte[] key = key(1);
            int others = BatchBytes.HEADER_BYTES
                    + BatchBytes.sizeOf(BatchBytes.FIRST_FAMILY, key, new byte[1 << 19])
                    - (1 << 19);

            // when
            buffer.change(false, key, new byte[(1 << 20) - others + offset]);

            // then
            assertThat(buffer.held(key) != null).isEqualTo(isHeld);
        }
    }

    @Test
    void shouldNameTheRecordThatWasDeletedLast() {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            WriteBuffer buffer = new WriteBuffer(database);

            assertThat(buffer.lastDeleted()).isNull();
            buffer.change(false, key(1), null);
            assertThat(buffer.lastDeleted()).isEqualTo(key(1));
            buffer.deleteNext(key(2));
            buffer.change(true, key(9), null);
            assertThat(buffer.lastDeleted()).as("a look-up is no record").isEqualTo(key(2));
            buffer.change(false, key(3), new byte[] {1});
            assertThat(buffer.lastDeleted()).isNull();
            buffer.change(false, key(4), null);
            buffer.drain();
            assertThat(buffer.lastDeleted()).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 129, 16_383, 16_384, 2_097_151, 2_097_152})
    void shouldKnowHowManyBytesAChangeTakes(int valueBytes) {
        for (int family : new int[] {BatchBytes.FIRST_FAMILY, 1, 200}) {
            // given
            byte[] value = new byte[valueBytes];
            BatchBytes batch = new BatchBytes(9 + 2 * BatchBytes.HEADER_BYTES + valueBytes);

            // when
            batch.add(family, key(1), value);

            // then
            assertThat(batch.toBytes()).hasSize(BatchBytes.HEADER_BYTES + BatchBytes.sizeOf(family, key(1), value));
        }
    }

    @Test
    void shouldKeepTheOrderOfChangesOfOneLookup() throws RocksDBException {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0);
                Database database = Database.open(folder, memory)) {
            // given
            WriteBuffer buffer = new WriteBuffer(database);

            // when
            buffer.change(true, key(2), new byte[] {1});
            buffer.change(true, key(1), new byte[] {1});
            buffer.change(true, key(2), null);
            buffer.change(true, key(1), null);
            buffer.change(true, key(1), new byte[] {2});
            buffer.drain();

            // then
            assertThat(database.db.get(database.lookups, key(1))).containsExactly((byte) 2);
            assertThat(database.db.get(database.lookups, key(2))).isNull();
        }
    }

    private static byte[] key(int number) {
        return ("key-" + number).getBytes(StandardCharsets.UTF_8);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(byte[] key, byte @Nullable [] value) {

        static Change random(Random random) {
            byte[] key = new byte[random.nextInt(200)];
            byte[] value = new byte[random.nextInt(300) * random.nextInt(100)];
            random.nextBytes(key);
            random.nextBytes(value);
            return new Change(key, random.nextInt(4) == 0 ? null : value);
        }

        void to(WriteBatch batch, ColumnFamilyHandle family) throws RocksDBException {
            if (value == null) {
                batch.delete(family, key);
            } else {
                batch.put(family, key, value);
            }
        }
    }
}
