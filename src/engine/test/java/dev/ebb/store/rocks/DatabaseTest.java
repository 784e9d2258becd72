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
    void shouldSayWhatToDoWhereItCannotBeOpened() throws IOException {
        try (SharedMemory memory = new SharedMemory(16L << 20, 8L << 20, 0)) {
            // given
            Path file = Files.writeString(folder.resolve("events"), "no folder");

            // when, then
            assertThatThrownBy(() -> Database.open(file.toFile(), memory))
                    .isInstanceOf(ProcessorStateException.class)
                    .isNotInstanceOf(DamagedStoreException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("delete its state.dir");
        }
    }
}
