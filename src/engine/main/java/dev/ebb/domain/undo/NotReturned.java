package dev.ebb.domain.undo;

/** Reasons for which a deleted event does not come back, although the undo means it (T-2, T-3). */
public enum NotReturned {
    /** Its id has been used again: the event that has it now is not overwritten. */
    REUSED,
    /** An event of the same id was deleted later, and comes back in its place. */
    SUPERSEDED,
    /** The time for which its delete could be undone is over. */
    EXPIRED,
    /** It would be due again at once: within five minutes from the beginning of the undo. If any is when the undo counts, the undo is refused. */
    WOULD_BE_DUE,
    /** Its stream cannot be touched now: it is quarantined, or something of it has a fault. */
    NOT_READY,
    /** Its record in the trash cannot be read. */
    UNREADABLE
}
