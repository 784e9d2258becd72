package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.io.File;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.RocksDBException;

/** Records that a walk deletes one after the other go as one range, and whatever else happens nothing but them. */
@Tag("A-5")
class RunDeletionTest {

    /** The records of the tests lie in this order, with room between them. */
    private static final int KEYS = 3000;

    @TempDir
    private File folder;

    private SharedMemory memory;
    private Database database;
    private RocksTable table;

    @BeforeEach
    void setUp() {
        memory = new SharedMemory(16L << 20, 8L << 20, 0);
        database = Database.open(folder, memory);
        table = new RocksTable(Derivation.NONE, this, database, memory, new CommittedOffsets());
    }

    @AfterEach
    void tearDown() {
        table.close();
        memory.close();
    }

    @ParameterizedTest
    @CsvSource({"255, 255", "256, 0", "257, 0"})
    void shouldDeleteManyInARowAsARange(int walked, int deletedAlone) throws RocksDBException {
        // given
        fill(300);

        // when
        walkAndDelete(0, walked);

        // then
        assertThat(deletedAlone()).isEqualTo(deletedAlone);
        assertThat(contents()).hasSize(300 - walked).containsKeys(walked, 299);
    }

    @Test
    void shouldDeleteEachByItselfIfNobodyHasWalkedOverThem() throws RocksDBException {
        // given
        fill(300);

        // when
        for (int number = 0; number < 300; number++) {
            table.delete(key(number));
        }

        // then
        assertThat(deletedAlone()).isEqualTo(300);
        assertThat(contents()).isEmpty();
    }

    @Test
    void shouldKeepWhatIsWrittenBetweenTwoThatAWalkHasSeenSideBySide() {
        // given every second key
        fill(600);
        for (int number = 1; number < 600; number += 2) {
            table.delete(key(number));
        }

        // when
        try (KeyValueIterator<Bytes, byte[]> walk = table.range(key(0), null, true)) {
            Bytes first = walk.next().key;
            Bytes second = walk.next().key;
            table.put(key(1), new byte[] {1});
            table.delete(first);
            table.delete(second);
            while (walk.hasNext()) {
                table.delete(walk.next().key);
            }
        }

        // then
        assertThat(contents()).containsOnlyKeys(1);
    }

    @Test
    void shouldKeepWhatAWalkHasSkipped() {
        // given
        fill(600);

        // when
        try (KeyValueIterator<Bytes, byte[]> walk = table.range(key(0), null, true)) {
            for (int number = 0; number < 600; number++) {
                Bytes seen = walk.next().key;
                if (number != 300) {
                    table.delete(seen);
                }
            }
        }

        // then
        assertThat(contents()).containsOnlyKeys(300);
    }

    @Test
    void shouldNotCountAWalkBackwards() {
        // given
        fill(300);

        // when
        try (KeyValueIterator<Bytes, byte[]> walk = table.range(key(0), null, false)) {
            while (walk.hasNext()) {
                table.delete(walk.next().key);
            }
        }

        // then
        assertThat(contents()).isEmpty();
    }

    @Test
    void shouldHoldWhatAModelHolds() {
        SeededCases.forAFew(20, random -> {
            contents().keySet().forEach(number -> table.delete(key(number)));
            TreeMap<Integer, byte[]> model = new TreeMap<>();
            for (int step = 0; step < 12; step++) {
                write(random, model);
                walk(random, model);
                assertThat(contents()).usingRecursiveComparison().isEqualTo(model);
            }
            for (int number = 0; number < KEYS; number++) {
                assertThat(table.get(key(number))).isEqualTo(model.get(number));
            }
        });
    }

    private void write(Random random, Map<Integer, byte[]> model) {
        for (int i = random.nextInt(1500); i >= 0; i--) {
            int number = random.nextInt(KEYS);
            byte[] value = {(byte) random.nextInt()};
            table.put(key(number), value);
            model.put(number, value);
        }
    }

    /** Deletes most of what it meets; now and then it skips one, or writes or deletes another, or two walks take turns. */
    private void walk(Random random, TreeMap<Integer, byte[]> model) {
        int disturbEvery = 50 + random.nextInt(1000);
        try (KeyValueIterator<Bytes, byte[]> one = table.range(key(random.nextInt(KEYS)), null, true);
                KeyValueIterator<Bytes, byte[]> other = table.range(key(random.nextInt(KEYS)), null, true)) {
            int left = random.nextInt(KEYS);
            while (left > 0) {
                KeyValueIterator<Bytes, byte[]> walk = random.nextInt(disturbEvery) == 0 ? other : one;
                left = walk.hasNext() ? left - 1 : 0;
                if (left > 0) {
                    KeyValue<Bytes, byte[]> entry = walk.next();
                    disturb(random, disturbEvery, model);
                    if (random.nextInt(disturbEvery) != 0) {
                        table.delete(entry.key);
                        model.remove(number(entry.key));
                    }
                }
            }
        }
    }

    private void disturb(Random random, int every, Map<Integer, byte[]> model) {
        int number = random.nextInt(KEYS);
        if (random.nextInt(every) == 0) {
            byte[] value = {(byte) random.nextInt()};
            table.put(key(number), value);
            model.put(number, value);
        }
        if (random.nextInt(every) == 0) {
            table.delete(key(number));
            model.remove(number);
        }
    }

    private void fill(int records) {
        for (int number = 0; number < records; number++) {
            table.put(key(number), new byte[] {(byte) number});
        }
    }

    private void walkAndDelete(int from, int records) {
        try (KeyValueIterator<Bytes, byte[]> walk = table.range(key(from), null, true)) {
            for (int i = 0; i < records; i++) {
                table.delete(walk.next().key);
            }
        }
    }

    private Map<Integer, byte[]> contents() {
        Map<Integer, byte[]> found = new TreeMap<>();
        try (KeyValueIterator<Bytes, byte[]> all = table.all()) {
            while (all.hasNext()) {
                KeyValue<Bytes, byte[]> entry = all.next();
                found.put(number(entry.key), entry.value);
            }
        }
        return found;
    }

    /** Number of deletions of single records in the write buffer of RocksDB. */
    private long deletedAlone() throws RocksDBException {
        contents();
        return database.db.getLongProperty(database.records, "rocksdb.num-deletes-active-mem-table");
    }

    private static Bytes key(int number) {
        return Bytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    }

    private static int number(Bytes key) {
        return ByteBuffer.wrap(key.get()).getInt();
    }
}
