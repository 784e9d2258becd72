package dev.ebb.api.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

final class KeyFileModeTest {

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger(KeyFileMode.class);
    private final ListAppender<ILoggingEvent> warnings = new ListAppender<>();

    @BeforeEach
    void setUp() {
        warnings.start();
        logger.setLevel(Level.WARN);
        logger.addAppender(warnings);
    }

    @AfterEach
    void tearDown() {
        logger.detachAppender(warnings);
        logger.setLevel(null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--------", "rw-------", "r--r-----", "rw-rw----"})
    void shouldTakeAKeyThatIsClosedToOthers(String mode) throws IOException {
        KeyFileMode.check(key(mode));

        assertThat(warnings.list).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--r--r--", "rw-r--r--"})
    void shouldWarnOfAKeyThatAllUsersMayRead(String mode) throws IOException {
        KeyFileMode.check(key(mode));

        assertThat(warnings.list).singleElement().satisfies(warning -> {
            assertThat(warning.getLevel()).hasToString("WARN");
            assertThat(warning.getKeyValuePairs()).asString().contains("key.pem", "chmod o-rwx");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-rw-", "rw-----w-"})
    void shouldRefuseAKeyThatAllUsersMayWrite(String mode) throws IOException {
        Path key = key(mode);

        assertThatThrownBy(() -> KeyFileMode.check(key))
                .isInstanceOf(BadCertificateException.class)
                .hasMessageContaining("may write the file of the key")
                .hasMessageContaining("chmod o-rwx");
    }

    /** Reading the key begins with its mode, before any other fault of the file is named. */
    @Test
    void shouldBeAskedWhenAnIdentityIsRead() throws IOException {
        Path key = key("rw-rw-rw-");

        assertThatThrownBy(() -> Pem.key(key)).hasMessageContaining("may write the file of the key");
    }

    private Path key(String mode) throws IOException {
        Path key = Files.writeString(folder.resolve("key.pem"), "no key");
        return Files.setPosixFilePermissions(key, PosixFilePermissions.fromString(mode));
    }
}
