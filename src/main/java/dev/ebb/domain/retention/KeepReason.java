package dev.ebb.domain.retention;

/** Why retention keeps an event. */
public enum KeepReason {
    /** Its status says that the work is still in progress. */
    PROTECTED,
    /** Its producer asked for it to be kept for ever, and the policy allows that. */
    INFINITE,
    /** It is not due and its stream is within its caps. */
    LIVE
}
