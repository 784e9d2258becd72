package dev.ebb.sources;

/** Meaning of a version of a row, and so its fate. */
enum RowKind {
    /** Its work is not done, which protects it. */
    OPEN,
    /** Done long ago: it goes. */
    DUE,
    /** Done just now: it goes after the test. */
    YOUNG,
    /** Due, and in a stream that is held. */
    HELD,
    /** No reader of its format can read it, so nothing may be decided about it. */
    HOSTILE,
    /** Deleted by its owner, with a null value. */
    DELETED;

    /** Returns true if the row is to be there once all is quiet, given that this is its newest version. */
    boolean stays() {
        return this != DUE && this != DELETED;
    }
}
