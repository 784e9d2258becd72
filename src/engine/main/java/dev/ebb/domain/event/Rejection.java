package dev.ebb.domain.event;

import dev.ebb.domain.Shortened;

/**
 * Why one record was rejected.
 *
 * @param reason the kind of fault
 * @param detail the fault itself, as a sentence without a full stop; of a long one, which quotes what somebody sent, the
 *     first {@value #MAX_DETAIL} characters
 */
public record Rejection(RejectReason reason, String detail) {

    /** It travels in a header. */
    public static final int MAX_DETAIL = 4000;

    public Rejection {
        detail = Shortened.to(MAX_DETAIL, detail);
    }
}
