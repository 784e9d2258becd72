package dev.ebb.stacks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
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

    @Test
    void shouldBeFreeAgainWhenClosed() throws IOException {
        // given
        StackLock.acquire(dataDir).close();

        // when, then
        assertThat(StackLock.isHeld(dataDir)).isFalse();
        StackLock.acquire(dataDir).close();
    }
}
