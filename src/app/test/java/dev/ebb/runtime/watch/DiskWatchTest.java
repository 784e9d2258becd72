package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("O-28")
class DiskWatchTest {

    private static final Path FOLDER = Path.of("state");

    @Test
    void shouldTellOfAFullDiskWithItsFolderAndTheRoomThatIsLeft() {
        DiskWatch full = new DiskWatch(FOLDER, folder -> DiskWatch.LEAST_BYTES - 1);

        assertThat(full.problem()).isEqualTo("the disk of state.dir is nearly full: 255 MiB left in state");
    }

    @Test
    void shouldTellNothingWhereThereIsRoomOrItIsNotKnown() {
        DiskWatch roomy = new DiskWatch(FOLDER, folder -> DiskWatch.LEAST_BYTES);
        DiskWatch silent = new DiskWatch(FOLDER, folder -> {
            throw new IOException("away");
        });

        assertThat(roomy.problem()).isNull();
        assertThat(silent.problem()).isNull();
        assertThat(silent.bytes()).isNaN();
    }

    @Test
    void shouldMeasureTheDiskOfAFolderThatIsNotThereYet(@TempDir Path folder) {
        assertThat(DiskWatch.of(folder.resolve("not").resolve("yet")).bytes()).isNotNegative();
    }
}
