package dev.ebb.runtime.streams;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the folders of running tasks young. At a start, Kafka Streams judges by the age of a task's folder whether its
 * state is too old, and writes to files below the folder do not change that age.
 */
public record StateFolders(Supplier<Set<Path>> folders, Clock clock) implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(StateFolders.class);

    @Override
    public void run() {
        folders.get().forEach(this::touch);
    }

    private void touch(Path folder) {
        try {
            Files.setLastModifiedTime(folder, FileTime.from(clock.instant()));
        } catch (NoSuchFileException e) {
            // A task without stores has no folder, and a task that has just left removes its own.
            LOG.atDebug().addKeyValue("folder", folder).log("a task has no folder");
        } catch (IOException e) {
            LOG.atWarn().setCause(e).addKeyValue("folder", folder).log("the folder of a task cannot be touched");
        }
    }
}
