package dev.ebb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes that a process has given to the system to write to disks since it started, as Linux counts them: those that were deleted
 * before they came there included, those for sockets not.
 */
public record WriteMeter(long pid) {

    private static final String FIELD = "write_bytes: ";

    /** @throws VoidRunException if the system does not tell */
    public long written() {
        Path file = Path.of("/proc", Long.toString(pid), "io");
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(FIELD))
                    .mapToLong(line -> Long.parseLong(line.substring(FIELD.length())))
                    .findFirst()
                    .orElseThrow(() -> new VoidRunException(file + " has no " + FIELD.trim()));
        } catch (IOException e) {
            throw new VoidRunException(
                    "the system does not tell what process " + pid + " writes: " + e.getMessage(), e);
        }
    }
}
