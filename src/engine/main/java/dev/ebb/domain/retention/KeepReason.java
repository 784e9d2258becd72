package dev.ebb.domain.retention;

/** Why retention keeps an event. */
public enum KeepReason {
    /** A hold covers its stream. */
    HELD,
    /** Its status, or that of its execution, says that the work is still in progress. */
    PROTECTED,
    /** It is younger than {@code minAge}, or among the last that {@code keepLast} keeps. */
    GUARDED,
    /** Its producer asked for it to be kept for ever, and the policy allows that. */
    INFINITE,
    /** It is not due and its stream is within its caps. */
    LIVE
}
