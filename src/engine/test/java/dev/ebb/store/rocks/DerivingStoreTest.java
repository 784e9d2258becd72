package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.model.SeededCases;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;

/** A record of the range {@code r} has an entry {@code i<value>}; one of the range {@code m} has {@code w<value>} as well. */
@Tag("A-5")
class DerivingStoreTest {

    private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);

    private static SharedMemory memory;

    @TempDir
    private File folder;

    private DerivingStore store;

    @BeforeAll
    static void share() {
        memory = new SharedMemory(16L << 20, 8L << 20, 1L << 20);
    }

    @AfterAll
    static void release() {
        memory.close();
    }

    @BeforeEach
    void setUp() {
        store = open(StreamsConfig.EXACTLY_ONCE_V2);
    }

    @AfterEach
    void tearDown() {
        store.close();
    }

    @Test
    void shouldWriteTheEntriesOfARecordWithIt() {
        // when
        put("r1", "one");

        // then
        assertThat(contents()).containsExactly(Map.entry("ione", "r1"), Map.entry("r1", "one"));
        assertThat(get("ione")).isEqualTo("r1");
    }

    @Test
    void shouldRemoveTheEntriesOfARecordWithIt() {
        // given
        put("r1", "one");
        put("r2", "two");

        // when
        put("r1", null);

        // then
        assertThat(contents()).containsOnlyKeys("r2", "itwo");
        assertThat(get("ione")).isNull();
    }

    @Test
    void shouldRemoveTheEntriesOfARecordThatTheIteratorHasJustReturned() {
        // given
        put("r1", "one");
        put("r2", "two");

        // when
        try (var entries = store.range(bytes("r"), bytes("r9"))) {
            while (entries.hasNext()) {
                store.put(entries.next().key, null);
            }
        }

        // then
        assertThat(contents()).isEmpty();
    }

    @Test
    void shouldRemoveTheEntriesOfTheFormerValueWhereTheyMayDiffer() {
        // given
        put("m1", "one-a");

        // when
        put("m1", "one-b");

        // then
        assertThat(contents()).containsOnlyKeys("m1", "ione", "wone-b");
    }

    @Test
    void shouldKeepTheEntryOfARecordThatHasMoved() {
        // given
        put("r1", "one");

        // when
        put("r1", null);
        put("r2", "one");

        // then
        assertThat(get("ione")).isEqualTo("r2");
    }

    @Test
    void shouldReadWhatIsNotWrittenYetAndWhatIs() {
        // given
        put("r1", "one");

        // then
        assertThat(get("r1")).isEqualTo("one");
        assertThat(range("r", "r9")).containsExactly("r1");
        assertThat(get("r1")).isEqualTo("one");
        put("r1", null);
        assertThat(get("r1")).isNull();
        assertThat(range("r", "r9")).isEmpty();
        assertThat(get("r1")).isNull();
    }

    @Test
    void shouldWalkBothWaysBetweenItsBounds() {
        // given
        for (String key : List.of("r1", "r2", "r3", "r4")) {
            put(key, "of-" + key);
        }

        // then
        assertThat(range("r2", "r3")).containsExactly("r2", "r3");
        assertThat(drain(store.reverseRange(bytes("r2"), bytes("r3")))).containsExactly("r3", "r2");
        assertThat(range("r20", "r20")).isEmpty();
        assertThat(drain(store.range(null, bytes("r1")))).containsExactly("r1");
        assertThat(drain(store.range(bytes("r4"), null))).containsExactly("r4");
    }

    @Test
    void shouldNotSeeInAnIteratorWhatWasWrittenAfterwards() {
        // given
        put("r1", "one");

        // when
        try (var entries = store.range(bytes("r"), bytes("r9"))) {
            put("r2", "two");
            store.range(bytes("a"), bytes("b")).close();

            // then
            assertThat(entries.next().key).isEqualTo(bytes("r1"));
            assertThat(entries.hasNext()).isFalse();
        }
    }

    @Test
    void shouldFindEverythingAgainAfterACleanStop() {
        // given
        put("r1", "one");
        put("m2", "two");
        store.commit(Map.of(CHANGELOG, 2L));

        // when
        reopen(StreamsConfig.EXACTLY_ONCE_V2);

        // then
        assertThat(contents()).containsOnlyKeys("r1", "ione", "m2", "itwo", "wtwo");
    }

    @Test
    void shouldKeepTheOffsetsOfItsChangelog() {
        // when
        store.commit(Map.of(CHANGELOG, 42L));
        reopen(StreamsConfig.EXACTLY_ONCE_V2);

        // then
        assertThat(store.committedOffset(CHANGELOG)).isEqualTo(42);
        store.commit(Map.of(CHANGELOG, -4L));
        assertThat(store.committedOffset(CHANGELOG)).as("as it was given").isEqualTo(-4);
        Map<TopicPartition, Long> none = new HashMap<>();
        none.put(CHANGELOG, null);
        store.commit(none);
        assertThat(store.committedOffset(CHANGELOG)).isNull();
    }

    @Test
    void shouldForgetAllOffsetsWhenThereAreNone() {
        // given
        store.commit(Map.of(CHANGELOG, 1L, new TopicPartition("other", 0), 2L));

        // when
        store.commit(Map.of());

        // then
        assertThat(store.committedOffset(CHANGELOG)).isNull();
        reopen(StreamsConfig.EXACTLY_ONCE_V2);
    }

    @Test
    @Tag("I-7")
    void shouldRefuseWhatWasNotClosedUnderExactlyOnce() throws RocksDBException {
        // given
        File killed = new File(folder, "killed");
        File files = new File(folder, "running/rocksdb/events");
        try (Database running = Database.open(files, memory);
                FlushOptions now = new FlushOptions()) {
            running.markOpen();
            running.db.flush(now, List.of(running.records, running.lookups, running.offsets));
            copy(files, new File(killed, "rocksdb/events"));
        }

        // then
        DerivingStore next = new DerivingStore("events", new TestDerivation(), RocksTable::open);
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> next.init(context(killed, StreamsConfig.EXACTLY_ONCE_V2), next))
                    .as("for it is not mended by looking")
                    .isInstanceOf(TaskCorruptedException.class);
        }
        assertThat(next.isOpen()).isFalse();
        next.init(context(killed, StreamsConfig.AT_LEAST_ONCE), next);
        assertThat(next.isOpen()).isTrue();
        next.close();
    }

    @Test
    @Tag("I-7")
    void shouldBeWhereItWasClosedIfNothingReachedTheDiskSince() {
        // given
        put("r1", "one");
        store.commit(Map.of(CHANGELOG, 7L));
        reopen(StreamsConfig.EXACTLY_ONCE_V2);
        put("r2", "two");

        // when
        File killed = new File(folder, "killed");
        copy(new File(folder, "task/rocksdb/events"), new File(killed, "rocksdb/events"));
        store.close();
        store = new DerivingStore("events", new TestDerivation(), RocksTable::open);
        store.init(context(killed, StreamsConfig.EXACTLY_ONCE_V2), store);

        // then
        assertThat(contents()).containsOnlyKeys("r1", "ione");
        assertThat(store.committedOffset(CHANGELOG)).isEqualTo(7);
    }

    @Test
    void shouldSayThatItIsClosed() {
        // given
        put("r1", "one");
        KeyValueIterator<Bytes, byte[]> entries = store.range(bytes("r"), bytes("r9"));

        // when
        store.close();
        store.close();

        // then
        assertThat(store.isOpen()).isFalse();
        assertThatThrownBy(() -> get("r1")).isInstanceOf(InvalidStateStoreException.class);
        assertThatThrownBy(entries::hasNext).isInstanceOf(InvalidStateStoreException.class);
        entries.close();
    }

    @Test
    void shouldHoldWhatAMapWithAnIndexHolds() {
        SeededCases.forAll(20, random -> {
            NavigableMap<String, String> model = new TreeMap<>();
            drain(store.all()).forEach(key -> put(key, null));
            for (int step = 0; step < 400; step++) {
                String key = (random.nextBoolean() ? "r" : "m") + random.nextInt(20);
                boolean isRemoval = random.nextInt(3) == 0;
                // The value names the key, as an id belongs to one event at a time; of an m it may change.
                String value = isRemoval ? null : key + (key.startsWith("m") ? "-" + random.nextInt(3) : "");
                put(key, value);
                if (isRemoval) {
                    model.remove(key);
                } else {
                    model.put(key, value);
                }
                look(random, model);
            }
            assertThat(contents()).isEqualTo(withEntries(model));
        });
    }

    @Test
    @Tag("I-7")
    void shouldBeTheSameAfterARestorationFromACompactedChangelog() {
        SeededCases.forAll(20, random -> {
            List<KeyValue<byte[], byte[]>> changelog = changelog(random, 300);
            store.close();
            File restored = new File(folder, "restored-" + random.nextInt(Integer.MAX_VALUE));
            List<BatchingStateRestoreCallback> callbacks = new ArrayList<>();
            store = new DerivingStore("events", new TestDerivation(), RocksTable::open);
            store.init(TaskContexts.capturing(context(restored, StreamsConfig.EXACTLY_ONCE_V2), callbacks), store);

            // A standby has read a part when the rest is compacted behind its back.
            int read = random.nextInt(changelog.size());
            restore(callbacks.get(0), changelog.subList(0, read), random);
            restore(callbacks.get(0), compacted(changelog.subList(read, changelog.size()), random), random);

            assertThat(contents()).isEqualTo(withEntries(model(changelog)));
        });
    }

    /**
     * Files may hold more than their offset says, so a restoration repeats records. In the middle of that a look-up may be
     * missing although its key is there: the removal of the record that had it before is repeated. A later value that
     * compaction has taken from the changelog meanwhile is in the files alone; its entries must go with it.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("I-7")
    void shouldTakeNoKeyForNewWhoseLookupIsMissingWhileRecordsRepeat(boolean isRemovedInTheEnd) {
        // given files in which the id has moved to another key, whose value has changed since
        put("m1", "one-a");
        put("m1", null);
        put("m2", "one-b");
        put("m2", "one-c");
        store.commit(Map.of(CHANGELOG, 0L));
        store.close();
        List<BatchingStateRestoreCallback> callbacks = new ArrayList<>();
        store = new DerivingStore("events", new TestDerivation(), RocksTable::open);
        File task = new File(folder, "task");
        store.init(TaskContexts.capturing(context(task, StreamsConfig.AT_LEAST_ONCE), callbacks), store);

        // when it is restored from the beginning
        String last = isRemovedInTheEnd ? null : "one-d";
        callbacks
                .get(0)
                .restoreAll(
                        List.of(record("m1", "one-a"), record("m1", null), record("m2", "one-b"), record("m2", last)));

        // then
        assertThat(contents())
                .isEqualTo(isRemovedInTheEnd ? Map.of() : Map.of("m2", "one-d", "ione", "m2", "wone-d", ""));
    }

    private static KeyValue<byte[], byte[]> record(String key, @Nullable String value) {
        return KeyValue.pair(utf8(key), value == null ? null : utf8(value));
    }

    @Test
    @Tag("B-11")
    void shouldMergeSeldomUntilItIsRestored() throws RocksDBException {
        // given
        try (Database database = Database.open(new File(folder, "merged"), memory)) {
            RocksTable table = new RocksTable(new TestDerivation(), this, database, memory, new CommittedOffsets());
            DerivingStore merged = new DerivingStore("merged", new TestDerivation(), (n, d, c, l) -> table);
            List<BatchingStateRestoreCallback> callbacks = new ArrayList<>();
            merged.init(TaskContexts.capturing(context(folder, StreamsConfig.EXACTLY_ONCE_V2), callbacks), merged);
            List<Integer> before = filesToMerge(database);

            // when
            callbacks.get(0).restoreAll(List.of(KeyValue.pair(utf8("r1"), utf8("one"))));
            callbacks.get(0).restoreAll(List.of(KeyValue.pair(utf8("r2"), utf8("two"))));
            List<Integer> meanwhile = filesToMerge(database);
            merged.put(bytes("r3"), utf8("three"));

            // then
            assertThat(meanwhile).containsExactly(32, 32);
            assertThat(filesToMerge(database)).isEqualTo(before).containsExactly(5, 5);
        }
    }

    private static List<Integer> filesToMerge(Database database) throws RocksDBException {
        return List.of(
                database.db.getOptions(database.records).level0FileNumCompactionTrigger(),
                database.db.getOptions(database.lookups).level0FileNumCompactionTrigger());
    }

    @Test
    @Tag("A-8")
    void shouldHoldMoreThanItsMemory() {
        // given
        int records = 20_000;
        String filling = "x".repeat(300);
        try (SharedMemory little = new SharedMemory(1 << 20, 1 << 19, 1 << 12);
                Database database = Database.open(new File(folder, "large"), little)) {
            RocksTable table = new RocksTable(new TestDerivation(), this, database, little, new CommittedOffsets());
            DerivingStore large = new DerivingStore("large", new TestDerivation(), (n, d, c, l) -> table);
            large.init(context(folder, StreamsConfig.AT_LEAST_ONCE), large);

            // when
            for (int i = 0; i < records; i++) {
                large.put(bytes("r" + i), utf8(i + filling));
            }

            // then
            assertThat(property(database, "rocksdb.cur-size-all-mem-tables")).isLessThan(4 << 20);
            for (int i = 0; i < records; i += 100) {
                assertThat(large.get(bytes("i" + i + filling))).isEqualTo(utf8("r" + i));
                large.put(bytes("r" + i), null);
                assertThat(large.get(bytes("i" + i + filling))).isNull();
            }
            assertThat(drain(large.range(bytes("r"), bytes("s")))).hasSize(records - records / 100);
            // The families share one cache. Unflushed data count in it beyond its bound when the disk is slow.
            assertThat(little.use().blocks()).isLessThan(4 << 20);
        }
    }

    @Test
    @Tag("A-8")
    @Tag("B-4")
    void shouldReadIndexesInPieces() throws RocksDBException {
        // given
        try (Database database = Database.open(new File(folder, "indexed"), memory);
                FlushOptions flush = new FlushOptions()) {
            RocksTable table = new RocksTable(new TestDerivation(), this, database, memory, new CommittedOffsets());
            for (int i = 0; i < 50_000; i++) {
                table.put(bytes("r" + i), utf8("one"));
                table.put(bytes("i" + i), utf8("r" + i));
            }

            // when
            table.commit(Map.of(CHANGELOG, 1L));
            database.db.flush(flush, List.of(database.records, database.lookups));

            // then
            for (ColumnFamilyHandle family : List.of(database.records, database.lookups)) {
                assertThat(database.db.getPropertiesOfAllTables(family).values())
                        .isNotEmpty()
                        .allSatisfy(
                                file -> assertThat(file.getIndexPartitions()).isGreaterThan(1));
            }
        }
    }

    @Test
    @Tag("A-8")
    void shouldHoldLittleForAPartitionThatHoldsLittle() {
        // given
        try (SharedMemory enough = new SharedMemory(64L << 20, 32L << 20, 1 << 12);
                Database database = Database.open(new File(folder, "small"), enough)) {
            RocksTable table = new RocksTable(new TestDerivation(), this, database, enough, new CommittedOffsets());

            // when
            table.put(bytes("r1"), utf8("one"));
            table.put(bytes("i1"), utf8("r1"));
            table.commit(Map.of(CHANGELOG, 1L));

            // then: 64 partitions have room beside each other in what write buffers get by default
            assertThat(property(database, "rocksdb.cur-size-all-mem-tables")).isLessThan(400 << 10);
        }
    }

    private static long property(Database database, String name) {
        try {
            return database.db.getLongProperty(database.records, name)
                    + database.db.getLongProperty(database.lookups, name);
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @Tag("A-6")
    @Tag("I-7")
    void shouldBeTheSameAfterAKillWithoutExactlyOnce() {
        SeededCases.forAll(10, random -> {
            List<KeyValue<byte[], byte[]>> changelog = changelog(random, 200);
            int takenIn = 1 + random.nextInt(changelog.size());
            File killed = new File(folder, "killed-" + random.nextInt(Integer.MAX_VALUE));

            runUntilKilled(killed, changelog.subList(0, takenIn), random);

            store.close();
            List<BatchingStateRestoreCallback> callbacks = new ArrayList<>();
            store = new DerivingStore("events", new TestDerivation(), RocksTable::open);
            store.init(TaskContexts.capturing(context(killed, StreamsConfig.AT_LEAST_ONCE), callbacks), store);
            Long offset = store.committedOffset(CHANGELOG);
            int from = offset == null ? 0 : offset.intValue();
            restore(callbacks.get(0), changelog.subList(from, changelog.size()), random);

            assertThat(contents()).isEqualTo(withEntries(model(changelog)));
        });
    }

    /** Data on disk are as old as some flush, and the offset beside them may be older still. */
    private static void runUntilKilled(File killed, List<KeyValue<byte[], byte[]>> records, Random random) {
        File files = new File(killed, "running");
        try (Database database = Database.open(files, memory);
                FlushOptions now = new FlushOptions()) {
            database.db.disableFileDeletions();
            RocksTable table = new RocksTable(
                    new TestDerivation(), DerivingStoreTest.class, database, memory, new CommittedOffsets());
            DerivingStore writer = new DerivingStore("events", new TestDerivation(), (n, d, c, l) -> table);
            writer.init(context(killed, StreamsConfig.AT_LEAST_ONCE), writer);
            for (int offset = 0; offset < records.size(); offset++) {
                writer.put(Bytes.wrap(records.get(offset).key), records.get(offset).value);
                boolean isCommit = random.nextInt(20) == 0;
                if (isCommit) {
                    writer.commit(Map.of(CHANGELOG, offset + 1L));
                }
                if (random.nextInt(isCommit ? 2 : 20) == 0) {
                    database.db.flush(now, List.of(database.records, database.lookups, database.offsets));
                }
            }
            database.db.pauseBackgroundWork();
            copy(files, new File(killed, "rocksdb/events"));
            database.db.continueBackgroundWork();
        } catch (RocksDBException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<KeyValue<byte[], byte[]>> changelog(Random random, int length) {
        List<KeyValue<byte[], byte[]>> changelog = new ArrayList<>();
        for (int step = 0; step < length; step++) {
            String key = (random.nextBoolean() ? "r" : "m") + random.nextInt(20);
            String value = random.nextInt(3) == 0 ? null : key + (key.startsWith("m") ? "-" + random.nextInt(3) : "");
            changelog.add(KeyValue.pair(utf8(key), value == null ? null : utf8(value)));
        }
        return changelog;
    }

    /** Records that are left in the end. */
    private static Map<String, String> model(List<KeyValue<byte[], byte[]>> changelog) {
        Map<String, String> model = new TreeMap<>();
        changelog.forEach(record -> model.put(text(record.key), record.value == null ? null : text(record.value)));
        model.values().removeIf(Objects::isNull);
        return model;
    }

    private static void restore(
            BatchingStateRestoreCallback callback, List<KeyValue<byte[], byte[]>> records, Random random) {
        int from = 0;
        while (from < records.size()) {
            int to = Math.min(records.size(), from + 1 + random.nextInt(50));
            callback.restoreAll(records.subList(from, to));
            from = to;
        }
    }

    /** Some of the records that have a later one of the same key are gone. */
    private static List<KeyValue<byte[], byte[]>> compacted(List<KeyValue<byte[], byte[]>> records, Random random) {
        List<KeyValue<byte[], byte[]>> left = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            byte[] key = records.get(i).key;
            boolean isLast =
                    records.subList(i + 1, records.size()).stream().noneMatch(later -> Arrays.equals(later.key, key));
            if (isLast || random.nextBoolean()) {
                left.add(records.get(i));
            }
        }
        return left;
    }

    private void look(Random random, NavigableMap<String, String> model) {
        String some = (random.nextBoolean() ? "r" : "m") + random.nextInt(20);
        switch (random.nextInt(4)) {
            case 0 -> assertThat(get(some)).isEqualTo(model.get(some));
            case 1 -> assertThat(get("i" + some)).isEqualTo(withEntries(model).get("i" + some));
            case 2 -> assertThat(range("m", some)).isEqualTo(keys(model, some));
            default -> {
                if (random.nextInt(20) == 0) {
                    reopen(StreamsConfig.AT_LEAST_ONCE);
                }
            }
        }
    }

    private static List<String> keys(NavigableMap<String, String> model, String to) {
        return to.compareTo("m") < 0
                ? List.of()
                : new ArrayList<>(model.subMap("m", true, to, true).keySet());
    }

    private static Map<String, String> withEntries(Map<String, String> model) {
        Map<String, String> all = new TreeMap<>(model);
        model.forEach((key, value) -> new TestDerivation()
                .derive(utf8(key), utf8(value), (entry, content) -> all.put(text(entry), text(content.get()))));
        return all;
    }

    private Map<String, String> contents() {
        Map<String, String> contents = new TreeMap<>();
        try (var entries = store.all()) {
            entries.forEachRemaining(entry -> contents.put(text(entry.key.get()), text(entry.value)));
        }
        return contents;
    }

    private List<String> range(String from, String to) {
        return drain(store.range(bytes(from), bytes(to)));
    }

    private static List<String> drain(KeyValueIterator<Bytes, byte[]> entries) {
        List<String> keys = new ArrayList<>();
        try (entries) {
            entries.forEachRemaining((KeyValue<Bytes, byte[]> entry) -> keys.add(text(entry.key.get())));
        }
        return keys;
    }

    private void put(String key, String value) {
        store.put(bytes(key), value == null ? null : utf8(value));
    }

    private String get(String key) {
        byte[] value = store.get(bytes(key));
        return value == null ? null : text(value);
    }

    private void reopen(String guarantee) {
        store.close();
        store = open(guarantee);
    }

    private DerivingStore open(String guarantee) {
        DerivingStore opened = new DerivingStore("events", new TestDerivation(), RocksTable::open);
        opened.init(context(new File(folder, "task"), guarantee), opened);
        return opened;
    }

    /** As a killed process would leave them. */
    private static void copy(File folder, File target) {
        try (Stream<Path> files = Files.list(folder.toPath())) {
            Files.createDirectories(target.toPath());
            for (Path file : files.toList()) {
                Files.copy(file, target.toPath().resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static StateStoreContext context(File taskFolder, String guarantee) {
        return TaskContexts.in(taskFolder, guarantee, memory);
    }

    private static Bytes bytes(String text) {
        return Bytes.wrap(utf8(text));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
