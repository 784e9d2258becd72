package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.model.SeededCases;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store whose files are not what was written says nothing of what is in them, and starts again from its changelog. */
@Tag("I-7")
class DamagedStoreTest {

    private static final TopicPartition CHANGELOG = new TopicPartition("changelog", 0);
    private static final int RECORDS = 2000;
    private static final byte[] VALUE = "v".repeat(100).getBytes(StandardCharsets.UTF_8);

    private static SharedMemory memory;

    @TempDir
    private Path folder;

    private DerivingStore store = closed();

    @BeforeAll
    static void share() {
        // No block stays in memory, so that each is read from its file.
        memory = new SharedMemory(16L << 20, 0, 1L << 20);
    }

    @AfterAll
    static void release() {
        memory.close();
    }

    @AfterEach
    void tearDown() {
        store.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
    void shouldStartAgainWhereItCannotBeOpened(String guarantee) {
        for (Damage damage : List.<Damage>of(
                () -> truncate("CURRENT", 0),
                () -> truncate("CURRENT", 7),
                () -> delete("MANIFEST"),
                () -> truncate("MANIFEST", 20),
                () -> truncate(".sst", 1000),
                () -> delete(".sst"))) {
            // given
            fill(folder, guarantee);
            damage.happens();

            // when, then
            assertThatThrownBy(() -> open(folder, guarantee)).isInstanceOf(TaskCorruptedException.class);
            open(folder, guarantee);
            assertThat(walk()).isZero();
            assertThat(store.committedOffset(CHANGELOG)).isNull();
            store.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {StreamsConfig.EXACTLY_ONCE_V2, StreamsConfig.AT_LEAST_ONCE})
    void shouldNotEndAWalkAtADamagedBlock(String guarantee) {
        // given
        fill(folder, guarantee);
        flipABlockOfRecords(new Random(1));
        open(folder, guarantee);

        // then
        assertThatThrownBy(this::walk).isInstanceOf(DamagedStoreException.class);
        assertThatThrownBy(() -> store.commit(Map.of(CHANGELOG, 2L)))
                .as("whoever met it may have been a reader")
                .isInstanceOf(DamagedStoreException.class);
        store.close();
        assertThat(files()).isEmpty();
        open(folder, guarantee);
        assertThat(walk()).isZero();
    }

    @Test
    void shouldNeverShowWhatWasNotWritten() {
        SeededCases.forAll(30, random -> {
            // given
            Path task = folder.resolve("task-" + random.nextInt(Integer.MAX_VALUE));
            fill(task, StreamsConfig.EXACTLY_ONCE_V2);
            for (int i = 0; i < 1 + random.nextInt(20); i++) {
                flip(task, random);
            }

            // then
            try {
                open(task, StreamsConfig.EXACTLY_ONCE_V2);
                assertThat(walk()).isEqualTo(RECORDS);
                for (int i = 0; i < RECORDS; i++) {
                    assertThat(store.get(key(i))).isEqualTo(VALUE);
                }
            } catch (TaskCorruptedException | DamagedStoreException e) {
                assertThat(e).hasStackTraceContaining("damaged");
            } finally {
                store.close();
            }
        });
    }

    private void fill(Path task, String guarantee) {
        open(task, guarantee);
        for (int i = 0; i < RECORDS; i++) {
            store.put(key(i), VALUE);
        }
        store.commit(Map.of(CHANGELOG, 1L));
        store.close();
    }

    private void open(Path task, String guarantee) {
        store = closed();
        store.init(TaskContexts.in(task.toFile(), guarantee, memory), store);
    }

    private static DerivingStore closed() {
        return new DerivingStore("events", Derivation.NONE, RocksTable::open);
    }

    private static Bytes key(int number) {
        return Bytes.wrap(String.format("k%05d", number).getBytes(StandardCharsets.UTF_8));
    }

    private int walk() {
        int count = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = store.all()) {
            while (entries.hasNext()) {
                assertThat(entries.next().value).isEqualTo(VALUE);
                count++;
            }
        }
        return count;
    }

    private List<Path> files() {
        return files(folder);
    }

    private static List<Path> files(Path task) {
        try (Stream<Path> all = Files.walk(task)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<Path> files(String part) {
        return files().stream()
                .filter(file -> file.getFileName().toString().contains(part))
                .toList();
    }

    private void truncate(String part, int length) {
        files(part).forEach(file -> rewrite(file, bytes -> Arrays.copyOf(bytes, length)));
    }

    private void delete(String part) {
        files(part).forEach(file -> file.toFile().delete());
    }

    /** In the first half of the biggest file are records, whatever its other parts are. */
    private void flipABlockOfRecords(Random random) {
        Path biggest = files(".sst").stream()
                .max((a, b) -> Long.compare(a.toFile().length(), b.toFile().length()))
                .orElseThrow();
        rewrite(biggest, bytes -> {
            bytes[bytes.length / 4 + random.nextInt(bytes.length / 4)] ^= 1;
            return bytes;
        });
    }

    private static void flip(Path task, Random random) {
        List<Path> files = files(task).stream()
                .filter(file -> !file.getFileName().toString().startsWith("LOG"))
                .toList();
        rewrite(files.get(random.nextInt(files.size())), bytes -> {
            if (bytes.length > 0) {
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            }
            return bytes;
        });
    }

    private static void rewrite(Path file, Change change) {
        try {
            Files.write(file, change.of(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private interface Damage {
        void happens();
    }

    private interface Change {
        byte[] of(byte[] bytes);
    }
}
