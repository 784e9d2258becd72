package dev.ebb.devstack.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServiceLogTest {
    @TempDir
    private Path folder;

    private ServiceLog log;

    @BeforeEach
    void setUp() {
        log = new ServiceLog(folder.resolve("a.log"));
    }

    @Test
    void shouldShowTheLastLines() throws IOException {
        // given
        Files.write(
                log.file(),
                IntStream.range(0, 10_000).mapToObj(Integer::toString).toList());

        // when, then
        assertThat(log.tail(3)).isEqualToNormalizingNewlines("9997\n9998\n9999");
    }

    @Test
    void shouldShowAllOfAShortLog() throws IOException {
        // given
        Files.writeString(log.file(), "only\n");

        // when, then
        assertThat(log.tail(3)).isEqualTo("only");
    }

    @Test
    void shouldCutLinesThatNobodyReads() throws IOException {
        // given
        Files.writeString(log.file(), "x".repeat(5000) + "\n");

        // when, then
        assertThat(log.tail(3)).hasSizeLessThan(500).endsWith("…");
    }

    @Test
    void shouldSayThatThereIsNoLog() {
        assertThat(log.tail(3)).contains("cannot be read");
    }

    @Test
    void shouldPutABigLogAside() throws IOException {
        // given
        Files.write(log.file(), new byte[(16 << 20) + 1]);

        // when
        log.open();

        // then
        assertThat(folder.resolve("a.log.1")).exists();
        assertThat(log.file()).isEmptyFile();
    }
}
