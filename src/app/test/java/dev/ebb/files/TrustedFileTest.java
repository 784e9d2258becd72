package dev.ebb.files;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@Tag("T-17")
final class TrustedFileTest {

    @TempDir
    private Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger(TrustedFile.class);
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
    void shouldTakeASecretThatIsClosedToOthers(String mode) throws IOException {
        TrustedFile.checkSecret(file(mode), "file of the key");

        assertThat(warnings.list).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"r--r--r--", "rw-r--r--"})
    void shouldWarnOfASecretThatAllUsersMayRead(String mode) throws IOException {
        TrustedFile.checkSecret(file(mode), "file of the key");

        assertThat(warnings.list).singleElement().satisfies(warning -> {
            assertThat(warning.getLevel()).hasToString("WARN");
            assertThat(warning.getKeyValuePairs()).asString().contains("key.pem", "chmod o-rwx");
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-rw-rw-", "rw-----w-"})
    void shouldRefuseASecretThatAllUsersMayWrite(String mode) throws IOException {
        Path file = file(mode);

        assertThatThrownBy(() -> TrustedFile.checkSecret(file, "file of the key"))
                .isInstanceOf(UnsafeFileException.class)
                .hasMessageContaining("may write the file of the key")
                .hasMessageContaining("chmod o-rwx " + file);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rw-------", "r--r--r--", "rw-rw-r--"})
    void shouldLetAllUsersReadAFileWithoutASecret(String mode) throws IOException {
        TrustedFile.check(file(mode), "file of tokens");

        assertThat(warnings.list).isEmpty();
    }

    @Test
    void shouldRefuseAFileWithoutASecretThatAllUsersMayWrite() throws IOException {
        Path file = file("rw-rw-rw-");

        assertThatThrownBy(() -> TrustedFile.check(file, "file of tokens"))
                .isInstanceOf(UnsafeFileException.class)
                .hasMessageContaining("may write the file of tokens")
                .hasMessageContaining("chmod o-w " + file);
    }

    @ParameterizedTest
    @CsvSource({"rw-------, 0", "rw-r-----, 0", "rw-r--r--, 1"})
    void shouldWarnAtTheStartOfASecretThatAllUsersMayRead(String mode, int count) throws IOException {
        TrustedFile.warnOfReaders(file(mode));

        assertThat(warnings.list).hasSize(count);
    }

    /** A folder in which every user may replace the file, unless only the owner of a file may (1777, as of /tmp). */
    @ParameterizedTest
    @CsvSource({"0755, 0", "1777, 0", "0777, 1"})
    void shouldWarnOfAFolderInWhichAllUsersMayReplaceTheFile(String mode, int count) throws IOException {
        // given
        Path key = file("rw-------");
        Files.setAttribute(folder, "unix:mode", Integer.parseInt(mode, 8));

        // when
        TrustedFile.checkSecret(key, "file of the key");

        // then
        assertThat(warnings.list).hasSize(count);
    }

    /** Containers are given secrets as links to files. */
    @Test
    void shouldCheckTheFileBehindALink() throws IOException {
        // given
        Path link = Files.createSymbolicLink(folder.resolve("link"), file("rw-rw-rw-"));

        // then
        assertThatThrownBy(() -> TrustedFile.checkSecret(link, "file of the key"))
                .isInstanceOf(UnsafeFileException.class);
    }

    private Path file(String mode) throws IOException {
        Path file = Files.writeString(folder.resolve("key.pem"), "no key");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
    }
}
