package dev.ebb.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StackLockTest {
    @TempDir
    private Path dataDir;

    @Test
    void shouldRefuseASecondStackOnTheFolderAndNameItsOwner() throws IOException {
        try (var lock = StackLock.acquire(dataDir)) {
            assertThatThrownBy(() -> StackLock.acquire(dataDir))
                    .isInstanceOf(DevStackException.class)
                    .hasMessageContaining(dataDir.toString())
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
        }
    }

    /** Closed to others, the folder for temporary files would stop every program of the machine. */
    @Test
    void shouldLeaveAFolderOfOtherFilesAsItIs() throws IOException {
        // given
        var mine = Files.writeString(dataDir.resolve("mine"), "mine");
        for (Path path : List.of(dataDir, mine)) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        }

        // then
        assertThatThrownBy(() -> StackLock.acquire(dataDir))
                .isInstanceOf(DevStackException.class)
                .hasMessageContaining(dataDir + " holds other files");
        for (Path path : List.of(dataDir, mine)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwxr-xr-x");
        }
        Files.delete(mine);
        StackLock.acquire(dataDir).close();
    }

    @Test
    void shouldBeFreeAgainWhenClosed() throws IOException {
        // given
        StackLock.acquire(dataDir).close();

        // when, then
        assertThat(StackLock.isHeld(dataDir)).isFalse();
        StackLock.acquire(dataDir).close();
    }
}
