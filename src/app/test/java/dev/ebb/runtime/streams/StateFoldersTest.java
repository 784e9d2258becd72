package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("A-10")
class StateFoldersTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @TempDir
    private Path state;

    @Test
    void shouldKeepTheFoldersOfRunningTasksYoungAndNoOthers() throws IOException {
        // given
        Path running = folder("0_0");
        Path left = folder("0_1");
        Path gone = state.resolve("0_2");

        // when
        new StateFolders(() -> Set.of(gone, running), Clock.fixed(NOW, ZoneOffset.UTC)).run();

        // then
        assertThat(Files.getLastModifiedTime(running).toInstant()).isEqualTo(NOW);
        assertThat(Files.getLastModifiedTime(left).toInstant()).isEqualTo(Instant.EPOCH);
        assertThat(gone).doesNotExist();
    }

    private Path folder(String name) throws IOException {
        Path folder = Files.createDirectory(state.resolve(name));
        return Files.setLastModifiedTime(folder, FileTime.from(Instant.EPOCH));
    }
}
