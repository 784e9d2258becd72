package dev.ebb.domain.event;

import dev.ebb.domain.Shortened;

/**
 * The reason why one record was rejected.
 *
 * @param reason the kind of fault
 * @param detail the fault itself, as a sentence without a full stop; only the first {@value #MAX_DETAIL} characters of
 *     one that quotes a long input
 */
public record Rejection(RejectReason reason, String detail) {

    /** The most characters of a detail, which travels in a header. */
    public static final int MAX_DETAIL = 4000;

    public Rejection {
        detail = Shortened.to(MAX_DETAIL, detail);
    }
}
