package dev.ebb.serde.schemas;

import dev.ebb.domain.event.Wait;
import java.io.IOException;

/** Thrown when the registry has answered, but not with the schema; asking again may help once the cause is removed. */
final class SchemaProblemException extends IOException {

    private final Wait.Kind kind;

    SchemaProblemException(Wait.Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Returns the reason why there is no schema, according to a failed question. */
    static Wait.Kind kindOf(Throwable failure) {
        return failure instanceof SchemaProblemException problem ? problem.kind : Wait.Kind.REGISTRY_AWAY;
    }
}
