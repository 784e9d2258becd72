package dev.ebb.store.rocks;

import java.io.File;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.jspecify.annotations.Nullable;

/** A store's files are not as written; it is deleted, if open, at its close, and restored from its changelog. */
final class DamagedStoreException extends ProcessorStateException {

    private static final long serialVersionUID = 1L;

    DamagedStoreException(File folder, @Nullable Throwable cause) {
        super("the files of the store in " + folder + " are damaged; it is restored from its changelog", cause);
    }
}
