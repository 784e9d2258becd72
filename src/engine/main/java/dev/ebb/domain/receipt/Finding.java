package dev.ebb.domain.receipt;

import org.jspecify.annotations.Nullable;

/**
 * First thing that is wrong with the audit of a tree.
 *
 * @param kind the kind of fault
 * @param first number of the leaf, or of the first one that it may be
 * @param last number of the last one that it may be
 * @param offset the record on the audit topic: the one that is wrong, or the first behind the gap; null if there is none
 * @param detail the fault, for people
 */
public record Finding(
        Kind kind, long first, long last, @Nullable Long offset, String detail) {

    /** Kind of fault. */
    public enum Kind {

        /** A record is not the one that the tree was made of. */
        CHANGED,

        /** A record of the tree is missing. */
        DROPPED,

        /** A record is there that the tree does not know. */
        INSERTED,

        /** A checkpoint is missing, or does not go with the one before, or its signature is wrong. */
        CHECKPOINT
    }
}
