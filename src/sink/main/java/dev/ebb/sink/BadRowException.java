package dev.ebb.sink;

import java.io.IOException;

/** Thrown for a record that is no row of its table. The message says why, without the content of the row. */
final class BadRowException extends IOException {

    private static final long serialVersionUID = 1L;

    BadRowException(String message) {
        super(message);
    }

    BadRowException(String message, Throwable cause) {
        super(message, cause);
    }
}
