package dev.ebb.domain.command;

/** Reasons why a command was refused, or skipped a stream. */
public enum Refusal {
    /** No such stream or event exists, or it is no longer visible to readers. */
    NOT_FOUND,
    /** The stream has an execution that is not terminal, or an event of protected status. */
    STREAM_OPEN,
    /** The event is protected. */
    PROTECTED,
    /** An ancestor of the stream is open. */
    PARENT_OPEN,
    /** The stream is its own ancestor, or has too many ancestors. */
    PARENT_CYCLE,
    /** A hold covers the stream or event; force does not override holds. */
    HELD,
    /** The command names no filter and does not ask for all streams. */
    NO_FILTER,
    /** The command would delete more events than its own limit allows. */
    TOO_MANY,
    /** The command would delete more events than the brake lets go, and is not confirmed. */
    UNCONFIRMED,
    /** The plan does not exist, has expired, or was carried out. */
    NO_PLAN,
    /** The plan belongs to another command. */
    OTHER_PLAN,
    /** The TTL is outside the bounds of the policy, or not allowed by it. */
    TTL_OUT_OF_BOUNDS,
    /** Sweeping is not possible now. */
    NOT_READY,
    /**
     * Too many commands are unfinished. The refusal is not remembered: the same command under the same id is taken once
     * there is room.
     */
    BUSY,
    /** A fault that would occur again; the detail describes it. */
    FAILED,
    /** The command contradicts itself or has an invalid value. */
    BAD_COMMAND
}
