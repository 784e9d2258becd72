package dev.ebb.cli.client;

import java.io.IOException;

/** A request was sent, and its answer did not come in time. */
final class LateAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    /** @param what what has not happened within which time, as the end of a sentence */
    LateAnswerException(String what, IOException cause) {
        super(what, cause);
    }
}
