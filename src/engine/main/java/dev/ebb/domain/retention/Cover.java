package dev.ebb.domain.retention;

/** Cover over a whole stream, which keeps every event of it, whatever its policy says. */
public enum Cover {
    /** Nothing covers the stream: its policy decides. */
    NONE,
    /** A hold covers the stream (M-18). */
    HOLD,
    /** An undo has brought events of the stream back, which stand under its notice for a while (T-3). */
    NOTICE;

    /** Returns the cover of a stream under a hold or under none. */
    public static Cover ofHold(boolean isHeld) {
        return isHeld ? HOLD : NONE;
    }
}
