package dev.ebb.sql;

/** The mirror cannot be made or kept up; the message says what is wrong and holds no secret. */
public final class SqlMirrorException extends RuntimeException {

    public SqlMirrorException(String message) {
        super(message);
    }

    public SqlMirrorException(String message, Throwable cause) {
        super(message, cause);
    }
}
