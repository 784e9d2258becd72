package dev.ebb.domain.command;

/**
 * A question of one partition to another on behalf of a command, or the answer. No partition reads the state of
 * another: the partition asked answers for the moment at which it takes the question in (O-12).
 *
 * @param commandId the id of the command
 * @param step the kind of question or answer
 * @param sender the partition that asks or answers
 * @param body the details of the step, as a JSON object
 */
public record Errand(String commandId, Step step, int sender, String body) {

    /** Kinds of questions and answers. */
    public enum Step {
        /**
         * Asks whether the stream, or one of its ancestors, is open. The question travels along the chain of parents.
         */
        ASK_PARENT,
        /** The verdict on a chain of parents, for the partition that asked first. */
        TELL_PARENT,
        /** Asks for the streams that match the filter, the oldest completion first. */
        GATHER,
        /** Some of the matching streams. */
        GATHERED,
        /** Asks to carry the command out on these streams. */
        CARRY_OUT,
        /** Report that the command was carried out on these streams. */
        CARRIED_OUT,
        /** Tells that the command asks for no more streams. */
        END_SEARCH,
        /** Asks for a sweep now. */
        SWEEP,
        /** Report of the sweep. */
        SWEPT,
        /** Reports how much an undo has brought back so far. */
        RETURNING,
        /** Reports the progress of an erasure. */
        ERASING,
        /** Confirms that everything the sender sent before is committed. */
        COMMITTED,
        /** Asks for the number of events that this change of policies would delete at once. */
        ASSESS,
        /** The number of events that the change would delete at once. */
        ASSESSED,
        /** The settings of the sender's instance, which differ from the accepted ones. */
        CONFIGURED,
        /** The clock is far ahead of the state of the sender, and what the next sweep would take is not little. */
        CLOCK_AHEAD,
        /** The first records of a log that must stay. */
        LOG_HELD,
        /** The start of a log is about to move. */
        LOG_RAISED,
        /** A person is about to move the place from which a source is read. */
        SOURCE_RESET,
        /**
         * Announces that other policies are in force, or will be in a moment: the receiver need not wait for the next
         * second to look.
         */
        FOLLOW
    }
}
