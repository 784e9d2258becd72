package dev.ebb.domain.undo;

/** Reasons why a deleted event does not come back, although the undo selects it (T-2, T-3). */
public enum NotReturned {
    /** The id of the event has been used again; the event that has the id now is not overwritten. */
    REUSED,
    /** An event with the same id was deleted later, and comes back in its place. */
    SUPERSEDED,
    /** The time within which its delete could be undone is over. */
    EXPIRED,
    /** The stream is not ready: it is quarantined, or has a fault. */
    NOT_READY,
    /** The record of the event in the trash cannot be read. */
    UNREADABLE,
    /** The trash has promised the event, or an execution without events, and does not have it. */
    MISSING,
    /**
     * No delete put the record into the trash as it is there, or it was taken out before: it was sent by others (T-2).
     */
    FORGED
}
