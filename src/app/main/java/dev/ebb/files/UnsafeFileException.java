package dev.ebb.files;

import java.io.IOException;
import java.io.Serial;

/** Thrown for a file that Ebb does not trust because of its rights; the message names the remedy. */
public final class UnsafeFileException extends IOException {

    @Serial
    private static final long serialVersionUID = 1;

    UnsafeFileException(String message) {
        super(message);
    }
}
