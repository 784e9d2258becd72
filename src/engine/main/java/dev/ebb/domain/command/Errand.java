package dev.ebb.domain.command;

/**
 * What one partition asks of another on behalf of a command, or answers. Nothing is read of a neighbour's state: who is
 * asked answers for the moment in which the question is taken in (O-12).
 *
 * @param commandId the command on whose behalf it goes
 * @param step what is asked or answered
 * @param sender the partition that asks or answers
 * @param body what goes with the step, as a JSON object
 */
public record Errand(String commandId, Step step, int sender, String body) {

    /** What is asked or answered. */
    public enum Step {
        /** Is this stream, or one of its ancestors, open? Goes on along the chain of parents. */
        ASK_PARENT,
        /** The verdict on a chain of parents, back to who asked first. */
        TELL_PARENT,
        /** Which streams match the filter, the oldest completion first? */
        GATHER,
        /** Some of the streams that match. */
        GATHERED,
        /** Carry the command out on these streams. */
        CARRY_OUT,
        /** That was done. */
        CARRIED_OUT,
        /** Sweep now. */
        SWEEP,
        /** That was done. */
        SWEPT,
        /** How much would this change of policies delete at once? */
        ASSESS,
        /** So much. */
        ASSESSED,
        /** Other policies are in force, or will be in a moment: do not wait for the next second to look. */
        FOLLOW
    }
}
