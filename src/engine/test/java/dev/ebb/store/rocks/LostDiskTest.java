package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A store that cannot write what it still holds when it is closed is closed all the same. */
@Tag("I-7")
class LostDiskTest {

    private static final Bytes KEY = bytes("r1");

    private final List<OpenTable> opened = new ArrayList<>();

    /** Of tables whose last writes fail. */
    private final OpenTable.Opener opener = (name, derivation, context, lock) -> {
        OpenTable table = new UncloseableTable();
        opened.add(table);
        return table;
    };

    @TempDir
    private Path folder;

    @Test
    void shouldBeClosedAlthoughClosingFailed() {
        // given
        DerivingStore store = new DerivingStore("events", Derivation.NONE, opener);
        store.init(context(), store);

        // when
        assertThatThrownBy(store::close).isInstanceOf(ProcessorStateException.class);

        // then
        assertThat(store.isOpen()).isFalse();
        assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(InvalidStateStoreException.class);
        assertThatThrownBy(() -> store.put(KEY, new byte[1])).isInstanceOf(InvalidStateStoreException.class);
        assertThatThrownBy(() -> store.range(null, null)).isInstanceOf(InvalidStateStoreException.class);
        store.close();
        store.commit(Map.of());
    }

    @Test
    void shouldBeOpenedAnewWhenItsTaskIsRevived() {
        // given
        DerivingStore store = new DerivingStore("events", Derivation.NONE, opener);
        store.init(context(), store);
        assertThatThrownBy(store::close).isInstanceOf(ProcessorStateException.class);

        // when
        store.init(context(), store);

        // then
        assertThat(store.isOpen()).isTrue();
        assertThat(opened).hasSize(2);
        assertThat(store.get(KEY)).isNull();
    }

    /** In a process of its own: to read by a handle that was freed ends the whole of it. */
    @Test
    @Timeout(60)
    void shouldNotReadWhatWasFreedWhenItsDiskIsLost() throws Exception {
        // when
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-XX:-CreateCoredumpOnCrash",
                        "-XX:ErrorFile=" + folder.resolve("crash.log"),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Victim.class.getName(),
                        folder.resolve("task").toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();

        // then
        try {
            assertThat(process.waitFor(50, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue())
                    .as(() -> said(folder.resolve("out")))
                    .isZero();
        } finally {
            process.destroyForcibly();
        }
    }

    private static String said(Path out) {
        try {
            return Files.readString(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private StateStoreContext context() {
        return TaskContexts.in(folder.toFile(), StreamsConfig.EXACTLY_ONCE_V2, null);
    }

    private static Bytes bytes(String text) {
        return Bytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Loses the folder of a store that is open, writes until that is noticed, closes the store and goes on reading. */
    static final class Victim {

        private static final int VALUES = 10_000;
        private static final byte[] VALUE = new byte[10_000];

        private Victim() {}

        public static void main(String[] args) throws Exception {
            File task = new File(args[0]);
            SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 1L << 20);
            StateStoreContext context = TaskContexts.in(task, StreamsConfig.EXACTLY_ONCE_V2, memory);
            DerivingStore store = new DerivingStore("events", Derivation.NONE, RocksTable::open);
            store.init(context, store);
            store.put(KEY, VALUE);
            KeyValueIterator<Bytes, byte[]> entries = store.range(null, null);

            Utils.delete(new File(task, "rocksdb"));
            assertThatThrownBy(() -> fill(store)).isInstanceOf(ProcessorStateException.class);
            assertThatThrownBy(store::close).isInstanceOf(ProcessorStateException.class);

            assertThatThrownBy(() -> store.get(KEY)).isInstanceOf(InvalidStateStoreException.class);
            assertThatThrownBy(entries::next).isInstanceOf(InvalidStateStoreException.class);
            entries.close();
            store.close();
            store.init(context, store);
            assertThat(store.get(KEY)).isNull();
            store.put(KEY, VALUE);
            assertThat(Arrays.equals(store.get(KEY), VALUE)).isTrue();
            store.close();
        }

        private static void fill(DerivingStore store) {
            for (int i = 0; i < VALUES; i++) {
                store.put(bytes("r" + i), VALUE);
            }
        }
    }

    private static final class UncloseableTable extends EmptyTable {

        @Override
        public void close() {
            throw new ProcessorStateException("no space left");
        }
    }
}
