package dev.ebb.serde.schemas;

/** Thrown when the schema registry refuses a request, and will refuse it again. */
public final class SchemaRefusedException extends RuntimeException {

    public SchemaRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
