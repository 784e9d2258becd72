package dev.ebb.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.store.rocks.SharedMemory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StreamsInstanceTest {

    @TempDir
    private Path folder;

    @Test
    void shouldNameTheFolderAndTheWayOutIfAnotherInstanceRunsOnIt() throws IOException {
        // given
        EbbConfig config = EbbConfig.load(
                new ConfigSources(null, Map.of(), Map.of("state.dir", folder.toString(), "application.id", "app")));
        Path state = Files.createDirectories(folder.resolve("app"));
        StreamsBuilder builder = new StreamsBuilder();
        builder.table("in", Materialized.<String, String, KeyValueStore<Bytes, byte[]>>as("kept"));
        Topology topology = builder.build();
        LifecycleObserver observer = new LifecycleObserver() {};

        try (FileChannel lockFile =
                        FileChannel.open(state.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lockFile.lock();
                SharedMemory memory = new SharedMemory(1 << 20, 1 << 20, 1 << 20)) {
            // when
            assertThatThrownBy(() -> new StreamsInstance(config, topology, memory, observer))
                    // then
                    .as("locked by %s", lock)
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining(state.toString())
                    .hasMessageContaining("state.dir");
        }
    }
}
