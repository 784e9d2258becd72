package dev.ebb.stacks;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Keeps two stacks from using the same data folder. The lock ends with the process, however that ends. */
public final class StackLock implements AutoCloseable {
    /**
     * Folders that this process has locked. Closing any channel on a file ends the locks of this process on the file,
     * so no second channel may be opened.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path file;
    private final FileChannel channel;

    private StackLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Locks a folder, which it creates or closes to other users.
     *
     * @throws DevStackException if another stack runs there, or if the folder holds other files than those of a stack
     */
    public static StackLock acquire(Path dataDir) throws IOException {
        requireOwn(dataDir);
        PrivateFiles.folder(dataDir);
        var file = file(dataDir);
        if (!HELD_HERE.add(file)) {
            throw inUse(dataDir, ProcessHandle.current().pid() + ", this one");
        }
        var channel = FileChannel.open(PrivateFiles.file(file), StandardOpenOption.WRITE);
        if (!lock(channel)) {
            channel.close();
            HELD_HERE.remove(file);
            throw inUse(dataDir, Files.readString(pidFile(dataDir)).strip());
        }
        PrivateFiles.write(
                pidFile(dataDir), Long.toString(ProcessHandle.current().pid()));
        return new StackLock(file, channel);
    }

    /** Returns true if a stack, of this or another process, runs on the folder. */
    static boolean isHeld(Path dataDir) throws IOException {
        var file = file(dataDir);
        if (HELD_HERE.contains(file)) {
            return true;
        }
        if (!Files.exists(file)) {
            return false;
        }
        try (var channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return !lock(channel);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        HELD_HERE.remove(file);
    }

    /** A folder of other files must not be closed to those who use them: it may be that for temporary files. */
    private static void requireOwn(Path dataDir) throws IOException {
        if (!Files.isDirectory(dataDir) || Files.exists(file(dataDir))) {
            return;
        }
        try (Stream<Path> content = Files.list(dataDir)) {
            if (content.findAny().isPresent()) {
                throw new DevStackException(
                        dataDir + " holds other files and no data of a stack: name a new or an empty folder");
            }
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static Path file(Path dataDir) {
        return dataDir.toAbsolutePath().normalize().resolve("lock");
    }

    private static Path pidFile(Path dataDir) {
        return dataDir.resolve("stack.pid");
    }

    private static DevStackException inUse(Path dataDir, String pid) {
        return new DevStackException(
                "%s is in use by process %s: stop it, or take another data folder".formatted(dataDir, pid));
    }
}
