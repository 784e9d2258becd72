package dev.ebb.runtime.life;

/** How a run of an instance ended. */
public enum RunOutcome {
    /** It was asked to stop, and did. */
    STOPPED,
    /** Something broke that it could not mend. */
    FAILED,
    /** It did not start, or not go on, because something must be put right first; the log says what. */
    REFUSED
}
