package dev.ebb.serde.schemas;

/** The schema registry refuses what it is asked for, and will do so again. */
public final class SchemaRefusedException extends RuntimeException {

    public SchemaRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
