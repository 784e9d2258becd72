package dev.ebb.bench.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes that a process has written to files since it started, as Linux counts them: includes bytes that were deleted
 * before they reached the disk, excludes those for sockets.
 */
public record WriteMeter(long pid) {

    private static final String FIELD = "write_bytes: ";

    /** @throws VoidRunException if the system does not report the number */
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
