package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;

@Tag("A-5")
class LookupFilterTest {

    private static final int KEYS = 2000;

    @TempDir
    private File folder;

    private SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 1L << 20);

    @AfterEach
    void release() {
        memory.close();
    }

    @Test
    void shouldKnowEverythingOfAnEmptyTable() {
        try (Database database = Database.open(folder, memory)) {
            LookupFilter filter = new LookupFilter(database, memory);

            assertThat(filter.isAbsent(key(1))).isTrue();
            filter.added(key(1));
            assertThat(filter.isAbsent(key(1))).isFalse();
            filter.removed(key(1));
            assertThat(filter.isAbsent(key(1))).isTrue();
            filter.close();
        }
    }

    @Test
    void shouldReadWhatIsThereInPortionsAndSayNothingOfTheRest() throws RocksDBException {
        try (Database database = filled()) {
            // given
            LookupFilter filter = new LookupFilter(database, memory);
            assertThat(filter.isAbsent(key(KEYS + 1)))
                    .as("behind what was read")
                    .isFalse();

            // when what is asked for is not there, between two that are
            int portions = 0;
            while (!filter.isAbsent(key(KEYS + 1))) {
                if (filter.wantsToRead()) {
                    filter.readOn();
                    portions++;
                }
            }

            // then
            assertThat(portions).isBetween(2, KEYS / 100);
            for (int i = 0; i < KEYS; i++) {
                assertThat(filter.isAbsent(key(i))).as("key %d", i).isFalse();
            }
            filter.close();
        }
    }

    @Test
    void shouldKnowNothingBehindTheLastKeyThatItRead() throws RocksDBException {
        try (Database database = filled()) {
            // given one that has read the first key alone
            LookupFilter filter = new LookupFilter(database, memory);

            // then
            assertThat(filter.knows(key(0))).isTrue();
            assertThat(filter.knows(key(1))).isFalse();
            assertThat(filter.addedIfAbsent(key(1))).as("it is in the files").isFalse();
            assertThat(filter.addedIfAbsent(text("a")))
                    .as("before the first key")
                    .isTrue();
            assertThat(filter.addedIfAbsent(text("a"))).isFalse();
            filter.close();
        }
    }

    @Test
    @Tag("A-1")
    void shouldWantToReadOnceInSixtyFourQuestions() throws RocksDBException {
        try (Database database = filled()) {
            LookupFilter filter = new LookupFilter(database, memory);

            for (int question = 1; question <= 200; question++) {
                assertThat(filter.wantsToRead()).as("question %d", question).isEqualTo(question % 64 == 0);
            }
            filter.close();
        }
    }

    @Test
    void shouldReadEachKeyOnce() throws RocksDBException {
        try (Database database = filled()) {
            // given
            LookupFilter filter = new LookupFilter(database, memory);
            while (!filter.knows(text("z"))) {
                filter.readOn();
            }

            // when
            for (int i = 0; i < KEYS; i++) {
                filter.removed(key(i));
            }

            // then
            for (int i = 0; i < KEYS; i++) {
                assertThat(filter.isAbsent(key(i))).as("key %d", i).isTrue();
            }
            filter.close();
        }
    }

    @Test
    void shouldCountEachKeyOnceWhileItReads() throws RocksDBException {
        try (Database database = filled()) {
            // given one that comes and one that goes, before and behind what was read
            LookupFilter filter = new LookupFilter(database, memory);
            filter.readOn();
            byte[] before = text("a");
            byte[] behind = key(KEYS + 7);
            for (byte[] key : new byte[][] {before, behind}) {
                filter.added(key);
                database.db.put(database.lookups, key, key);
            }
            for (byte[] key : new byte[][] {key(1), key(KEYS - 1)}) {
                filter.removed(key);
                database.db.delete(database.lookups, key);
            }

            // when
            while (!filter.knows(text("z"))) {
                filter.readOn();
            }

            // then
            assertThat(filter.isAbsent(key(1))).isTrue();
            assertThat(filter.isAbsent(key(KEYS - 1))).isTrue();
            for (byte[] key : new byte[][] {before, behind}) {
                assertThat(filter.isAbsent(key)).isFalse();
                filter.removed(key);
                assertThat(filter.isAbsent(key)).as("added once").isTrue();
            }
            filter.close();
        }
    }

    @Test
    @Tag("A-8")
    void shouldKnowSomeKeysAndSayNothingOfTheOthersWhenItsMemoryIsUsedUp() {
        // given
        memory.close();
        memory = new SharedMemory(16L << 20, 8L << 20, 20_000);
        try (Database database = Database.open(folder, memory)) {
            LookupFilter filter = new LookupFilter(database, memory);

            // when
            for (int i = 0; i < 10_000; i++) {
                filter.added(key(i));
            }

            // then
            int absent = 0;
            for (int i = 0; i < 10_000; i++) {
                assertThat(filter.isAbsent(key(i))).as("key %d", i).isFalse();
                assertThat(filter.addedIfAbsent(key(i))).as("key %d", i).isFalse();
                boolean isAbsent = filter.isAbsent(key(20_000 + i));
                assertThat(filter.knows(key(20_000 + i))).isEqualTo(isAbsent);
                absent += isAbsent ? 1 : 0;
            }
            assertThat(absent).isBetween(500, 9_500);
            filter.close();
            assertThat(filter.isAbsent(key(20_000))).isFalse();
            assertThat(memory.reserveForLookups(20_000)).as("it is given back").isTrue();
        }
    }

    @Test
    @Tag("A-8")
    void shouldReadNothingWithoutMemory() throws RocksDBException {
        // given
        memory.close();
        memory = new SharedMemory(16L << 20, 8L << 20, 0);
        try (Database database = filled(20_000)) {
            LookupFilter filter = new LookupFilter(database, memory);

            // when
            int portions = 0;
            for (int question = 0; question < 20_000; question++) {
                if (filter.wantsToRead()) {
                    filter.readOn();
                    portions++;
                }
            }

            // then
            assertThat(portions).as("until no part of it has memory").isLessThan(30);
            assertThat(filter.isAbsent(text("a"))).isFalse();
            filter.close();
        }
    }

    private Database filled() throws RocksDBException {
        return filled(KEYS);
    }

    private Database filled(int keys) throws RocksDBException {
        Database database = Database.open(folder, memory);
        for (int i = 0; i < keys; i++) {
            database.db.put(database.lookups, key(i), key(i));
        }
        return database;
    }

    private static byte[] key(int number) {
        return text("k%06d".formatted(number));
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
