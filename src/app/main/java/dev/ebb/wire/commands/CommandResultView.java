package dev.ebb.wire.commands;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Outcome;
import dev.ebb.wire.Meaning;
import org.jspecify.annotations.Nullable;

/**
 * A result in REST: its own fields, and what was done before the command in the same act.
 *
 * @param result the result, whose fields stand beside the others
 * @param prepared the steps taken before an undo in the same act; left out if there were none
 */
public record CommandResultView(
        @JsonUnwrapped CommandResult result,

        @JsonInclude(JsonInclude.Include.NON_NULL)
        @Meaning("The steps before an undo in the same command; left out if there were none.")
        @Nullable
        PreparedView prepared) {

    public static CommandResultView of(CommandResult result) {
        return new CommandResultView(result, null);
    }

    /** Returns the effects of the command, or those that its dry run predicts. */
    public Outcome outcome() {
        return result.outcome();
    }

    private boolean isDone() {
        return result.state() == CommandResult.State.DONE;
    }

    /** Returns true if the command is an undo that is done and found nothing to bring back. */
    public boolean foundNothingToUndo() {
        return isDone()
                && outcome() instanceof Outcome.Undone undo
                && undo.extent() == Outcome.Extent.NOTHING
                && undo.notReturned().isEmpty();
    }

    /** Returns true if the command is done and has deleted nothing, and as a dry run has found nothing to delete. */
    public boolean deletedNothing() {
        Outcome.Deleted gone = outcome().deletions();
        return isDone()
                && gone.streamsDeleted() == 0
                && gone.executionsDeleted() == 0
                && gone.eventsDeleted() == 0
                // The plan of an erasure includes copies of events that were deleted earlier; no count includes them.
                && (result.plan() == null || result.plan().events() == 0)
                && isOfDeletes();
    }

    /** Returns true if the command is one that deletes, and keeps nothing only because a policy warns. */
    private boolean isOfDeletes() {
        return outcome() instanceof Outcome.Deleted
                || (outcome() instanceof Outcome.Swept sweep && sweep.keptByWarn() == 0);
    }
}
