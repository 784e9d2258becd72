package dev.ebb.domain.command;

/** Why a command, or a stream that a command came across, was refused. */
public enum Refusal {
    /** There is no such stream or event, or readers do not see it any more. */
    NOT_FOUND,
    /** The stream has an execution that is not terminal, or an event of protected status. */
    STREAM_OPEN,
    /** The event is protected. */
    PROTECTED,
    /** An ancestor of the stream is open. */
    PARENT_OPEN,
    /** The stream is its own ancestor, or has too many. */
    PARENT_CYCLE,
    /** A hold covers it; force does not help. */
    HELD,
    /** The command names no filter and does not ask for all streams. */
    NO_FILTER,
    /** It would delete more events than it says it may. */
    TOO_MANY,
    /** The TTL is outside the bounds of the policy, or not allowed by it. */
    TTL_OUT_OF_BOUNDS,
    /** Sweeping is not possible now. */
    NOT_READY,
    /** Something went wrong that would go wrong again; the detail says what. */
    FAILED,
    /** The command contradicts itself or names what nobody can mean. */
    BAD_COMMAND
}
