package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;

class WriteMeterTest {

    private static final int BYTES = 1 << 20;

    @Test
    void shouldCountWhatTheProcessWritesToADisk() throws IOException {
        long self = ProcessHandle.current().pid();
        assumeTrue(Files.isReadable(Path.of("/proc", Long.toString(self), "io")), "the system does not tell");
        WriteMeter meter = new WriteMeter(self);
        long before = meter.written();
        Path file = Files.createTempFile(Path.of("target"), "written", "");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(BYTES));
            channel.force(true);
        } finally {
            Files.delete(file);
        }
        assertThat(meter.written()).isGreaterThanOrEqualTo(before + BYTES);
    }

    @Test
    void shouldEndTheRunIfThereIsNoSuchProcess() {
        assertThatThrownBy(() -> new WriteMeter(Integer.MAX_VALUE).written())
                .isInstanceOf(VoidRunException.class)
                .hasMessageContaining("what process " + Integer.MAX_VALUE + " writes");
    }
}
