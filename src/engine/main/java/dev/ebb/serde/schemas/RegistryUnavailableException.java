package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import org.jspecify.annotations.Nullable;

/** Thrown when the schema registry does not answer within the time that the caller allows. */
public final class RegistryUnavailableException extends RuntimeException {

    private final Wait.Kind kind;

    /** @param waitsFor the missing thing, and the reason why it is missing */
    public RegistryUnavailableException(Wait waitsFor) {
        super(waitsFor.text());
        this.kind = waitsFor.kind();
    }

    public RegistryUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = Wait.Kind.REGISTRY_AWAY;
    }

    /** Returns the reason why there is no answer. */
    public Wait.Kind kind() {
        return kind;
    }
}
