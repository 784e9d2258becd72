package dev.ebb.domain.command;

/**
 * A question of one partition to another on behalf of a command, or the answer. No partition reads the state of
 * another: the partition asked answers for the moment at which it takes the question in (O-12).
 *
 * @param commandId the command on whose behalf it goes
 * @param step the kind of question or answer
 * @param sender the partition that asks or answers
 * @param body the details of the step, as a JSON object
 */
public record Errand(String commandId, Step step, int sender, String body) {

    /** Kinds of questions and answers. */
    public enum Step {
        /** Is this stream, or one of its ancestors, open? The question goes on along the chain of parents. */
        ASK_PARENT,
        /** The verdict on a chain of parents, back to the partition that asked first. */
        TELL_PARENT,
        /** Asks for the streams that match the filter, the oldest completion first. */
        GATHER,
        /** Some of the streams that match. */
        GATHERED,
        /** Carry the command out on these streams. */
        CARRY_OUT,
        /** Report that the command was carried out on these streams. */
        CARRIED_OUT,
        /** Sweep now. */
        SWEEP,
        /** Report of the sweep. */
        SWEPT,
        /** Tells how much an undo has brought back so far. */
        RETURNING,
        /** Tells how far an erasure is. */
        ERASING,
        /** Tells a partition that all that it sent before this is committed. */
        COMMITTED,
        /** Asks for the number of events that this change of policies would delete at once. */
        ASSESS,
        /** The number of events that the change would delete at once. */
        ASSESSED,
        /** Other policies are in force, or will be in a moment: do not wait for the next second to look. */
        FOLLOW
    }
}
