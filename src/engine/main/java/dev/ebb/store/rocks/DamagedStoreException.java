package dev.ebb.store.rocks;

import java.io.File;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a store's files are not as they were written. The store is deleted, at its close if it is open, and
 * restored from its changelog.
 */
final class DamagedStoreException extends ProcessorStateException {

    private static final long serialVersionUID = 1L;

    DamagedStoreException(File folder, @Nullable Throwable cause) {
        super("the files of the store in " + folder + " are damaged; it is restored from its changelog", cause);
    }
}
