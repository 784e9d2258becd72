package dev.ebb.runtime.life;

/** End of a run of an instance. */
public enum RunOutcome {
    /** The instance was asked to stop, and did. */
    STOPPED,
    /** Something failed that the instance could not correct. */
    FAILED,
    /** The instance did not start, or not continue, because something must be put right first; the log names it. */
    REFUSED
}
