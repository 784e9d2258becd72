package dev.ebb.runtime.life;

/** End of a run of an instance. */
public enum RunOutcome {
    /** The instance was asked to stop, and did. */
    STOPPED,
    /** Something broke that the instance could not mend. */
    FAILED,
    /** The instance did not start, or not go on, because something must be put right first; the log says what. */
    REFUSED
}
