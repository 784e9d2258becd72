package dev.ebb.domain.retention;

/** Reasons why retention keeps an event. */
public enum KeepReason {
    /** A hold covers the stream of the event. */
    HELD,
    /** An undo has brought events of the stream back, and its notice has not ended (T-3). */
    NOTICE,
    /** The status of the event, or of its execution, means that work is still in progress. */
    PROTECTED,
    /** The event is younger than {@code minAge}, or among the newest that {@code keepLast} keeps. */
    GUARDED,
    /** The producer asked that the event be kept for ever, and the policy allows this. */
    INFINITE,
    /** The event is not due, and its stream is within its caps. */
    LIVE
}
