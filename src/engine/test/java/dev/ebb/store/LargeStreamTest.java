package dev.ebb.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The forecast of a new anchor remembers no event, however many the stream has: the heap is far smaller than they would be. */
@Tag("A-8")
@Tag("O-8")
class LargeStreamTest {

    private static final int EVENTS = 1_000_000;

    @TempDir
    private Path folder;

    @Test
    @Timeout(180)
    void shouldForetellANewAnchorInABoundedHeap() throws Exception {
        // given
        Path out = folder.resolve("out");

        // when
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LargeStream.class.getName(),
                        Integer.toString(EVENTS))
                .redirectErrorStream(true)
                .redirectOutput(out.toFile())
                .start();

        // then
        try {
            assertThat(process.waitFor(170, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(Files.readString(out)).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
