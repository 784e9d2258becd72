package dev.ebb.sql;

/** Thrown when the mirror cannot be set up or maintained; the message names the fault and contains no secret. */
public final class SqlMirrorException extends RuntimeException {

    public SqlMirrorException(String message) {
        super(message);
    }

    public SqlMirrorException(String message, Throwable cause) {
        super(message, cause);
    }
}
