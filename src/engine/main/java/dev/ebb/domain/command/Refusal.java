package dev.ebb.domain.command;

/** Reasons why a command, or a stream that it came across, was refused. */
public enum Refusal {
    /** No such stream or event exists, or it is no longer visible to readers. */
    NOT_FOUND,
    /** The stream has an execution that is not terminal, or an event of protected status. */
    STREAM_OPEN,
    /** The event is protected. */
    PROTECTED,
    /** An ancestor of the stream is open. */
    PARENT_OPEN,
    /** The stream is its own ancestor, or has too many. */
    PARENT_CYCLE,
    /** A hold covers the stream or event, which force does not override. */
    HELD,
    /** The command names no filter and does not ask for all streams. */
    NO_FILTER,
    /** The command would delete more events than its own bound allows. */
    TOO_MANY,
    /** There is no such plan, or it has expired or was carried out. */
    NO_PLAN,
    /** The plan is not of this command. */
    OTHER_PLAN,
    /** What an undo would bring back would be due again at once. */
    WOULD_BE_DUE,
    /** The TTL is outside the bounds of the policy, or not allowed by it. */
    TTL_OUT_OF_BOUNDS,
    /** Sweeping is not possible now. */
    NOT_READY,
    /** A fault that would occur again; the detail describes it. */
    FAILED,
    /** The command contradicts itself or has a value that makes no sense. */
    BAD_COMMAND
}
