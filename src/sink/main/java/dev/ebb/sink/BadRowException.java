package dev.ebb.sink;

import java.io.IOException;

/** A record that is no row of its table. Says why, without the row's content. */
final class BadRowException extends IOException {

    private static final long serialVersionUID = 1L;

    BadRowException(String message) {
        super(message);
    }

    BadRowException(String message, Throwable cause) {
        super(message, cause);
    }
}
