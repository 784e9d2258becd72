package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.jspecify.annotations.Nullable;

/** The schema registry did not answer within the time that the caller was willing to wait. */
public final class RegistryUnavailableException extends RuntimeException {

    private final Wait.Kind kind;

    /** @param waitsFor what is not there, and why */
    public RegistryUnavailableException(Wait waitsFor) {
        super(waitsFor.text());
        this.kind = waitsFor.kind();
    }

    public RegistryUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Wait.Kind.REGISTRY_AWAY;
    }

    /** Reason why the answer is not there. */
    public Wait.Kind kind() {
        return kind;
    }
}
