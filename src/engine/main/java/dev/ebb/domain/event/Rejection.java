package dev.ebb.domain.event;

import dev.ebb.domain.Shortened;

/**
 * The reason why one record was rejected.
 *
 * @param reason the kind of fault
 * @param detail the fault itself, as a sentence without a full stop; shortened to the first {@value #MAX_DETAIL}
 *     characters where it quotes a long input
 */
public record Rejection(RejectReason reason, String detail) {

    /** Maximum length of a detail in characters; the detail travels in a header. */
    public static final int MAX_DETAIL = 4000;

    public Rejection {
        detail = Shortened.to(MAX_DETAIL, detail);
    }
}
