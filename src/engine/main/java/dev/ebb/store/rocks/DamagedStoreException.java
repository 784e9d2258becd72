package dev.ebb.store.rocks;

import java.io.File;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.jspecify.annotations.Nullable;

/** The files of a store are not what was written; it is deleted, if it is open when it is closed, and restored from its changelog. */
final class DamagedStoreException extends ProcessorStateException {

    private static final long serialVersionUID = 1L;

    DamagedStoreException(File folder, @Nullable Throwable cause) {
        super("the files of the store in " + folder + " are damaged; it is restored from its changelog", cause);
    }
}
