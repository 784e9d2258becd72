package dev.ebb.serde.schemas;

/** The schema registry refuses a request, and will do so again. */
public final class SchemaRefusedException extends RuntimeException {

    public SchemaRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
