package dev.ebb.store.rocks;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatabaseTest {

    @TempDir
    Path folder;

    @Test
    void shouldSayWhatToDoAboutDamagedFiles() throws IOException {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0)) {
            // given
            Database.open(folder.toFile(), memory).close();
            Files.writeString(folder.resolve("CURRENT"), "");

            // when, then
            assertThatThrownBy(() -> Database.open(folder.toFile(), memory))
                    .isInstanceOf(ProcessorStateException.class)
                    .hasMessageContaining(folder.toString())
                    .hasMessageContaining("delete its state.dir");
        }
    }
}
