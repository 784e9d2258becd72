package dev.ebb.cli.client;

import java.io.IOException;

/** Thrown when a request was sent and its answer was not complete in time. */
final class LateAnswerException extends IOException {

    private static final long serialVersionUID = 1L;

    /** @param what the missing event and its time limit, as the end of a sentence */
    LateAnswerException(String what, IOException cause) {
        super(what, cause);
    }
}
