package dev.ebb.serde.schemas;

import org.jspecify.annotations.Nullable;

/** The schema registry did not answer within the time that the caller was willing to wait. */
public final class RegistryUnavailableException extends RuntimeException {

    public RegistryUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
