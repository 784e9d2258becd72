package dev.ebb.domain.receipt;

import org.jspecify.annotations.Nullable;

/**
 * The first fault in the audit of a tree.
 *
 * @param kind the kind of fault
 * @param first the number of the leaf, or the lowest number that it may have
 * @param last the number of the leaf, or the highest number that it may have
 * @param offset the offset on the audit topic of the record that is wrong, or of the first record after the gap; null
 *     if there is none
 * @param detail the fault, for people
 */
public record Finding(
        Kind kind, long first, long last, @Nullable Long offset, String detail) {

    /** Kinds of faults. */
    public enum Kind {

        /** A record differs from the record in the tree. */
        CHANGED,

        /** A record of the tree is missing. */
        DROPPED,

        /** A record is not part of the tree. */
        INSERTED,

        /** A checkpoint is missing, or contradicts the checkpoint before, or its signature is wrong. */
        CHECKPOINT
    }
}
