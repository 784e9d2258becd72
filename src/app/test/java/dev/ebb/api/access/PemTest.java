package dev.ebb.api.access;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemTest {

    @TempDir
    private Path folder;

    /** Reading the key begins with its mode, before any other fault of the file is named. */
    @Test
    void shouldRefuseAKeyThatAllUsersMayWrite() throws IOException {
        Path key = Files.writeString(folder.resolve("key.pem"), "no key");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));

        assertThatThrownBy(() -> Pem.key(key))
                .isInstanceOf(UnusableFileException.class)
                .hasMessageContaining("may write the file of the key")
                .hasMessageContaining("chmod o-rwx " + key);
    }
}
