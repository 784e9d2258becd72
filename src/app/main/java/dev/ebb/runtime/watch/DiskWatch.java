package dev.ebb.runtime.watch;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the room on the disk of {@code state.dir}. Where it is nearly full, stores cannot be flushed, and threads
 * fail soon. Thread-safe; asks the file system each time, which takes no noticeable time.
 */
public record DiskWatch(Path folder, Room room) {

    /** Bytes that must be left: about what a store needs to flush and to compact once. */
    static final long LEAST_BYTES = 256L << 20;

    private static final long BYTES_PER_MIB = 1L << 20;

    /** A measurement of the room on the disk of a folder. */
    interface Room {

        /** Returns the number of bytes that this process may still write. */
        long bytes(Path folder) throws IOException;
    }

    /** Returns a watch over the disk of that folder, which need not exist yet. */
    public static DiskWatch of(Path folder) {
        return new DiskWatch(folder, DiskWatch::usable);
    }

    private static long usable(Path folder) throws IOException {
        Path existing = folder.toAbsolutePath();
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        FileStore disk = Files.getFileStore(existing);
        return disk.getUsableSpace();
    }

    /** Returns the number of bytes that may still be written there; NaN if the file system does not tell. */
    public double bytes() {
        try {
            return room.bytes(folder);
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    /** Returns the problem, with the folder and the room that is left; null if there is none, or it is not known. */
    public @Nullable String problem() {
        double left = bytes();
        return left < LEAST_BYTES
                ? "the disk of state.dir is nearly full: " + (long) left / BYTES_PER_MIB + " MiB left in " + folder
                : null;
    }
}
