package dev.ebb.stacks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** A stack as commands see it, without services: a locked folder, settings and a note. */
public final class StackNote implements AutoCloseable {
    private final StackLock lock;

    private StackNote(StackLock lock) {
        this.lock = lock;
    }

    /** Makes a stack of the user with these variables and these settings. */
    public static StackNote of(Map<String, String> environment, Path dataDir, String settings) throws IOException {
        var note = new StackNote(StackLock.acquire(dataDir));
        Files.writeString(Endpoints.file(dataDir), settings);
        PrivateFiles.write(RunningStacks.of(environment).noteOf(dataDir).orElseThrow(), dataDir + "\n");
        return note;
    }

    @Override
    public void close() {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
