package dev.ebb.topology.command;

import dev.ebb.domain.command.Outcome.Deleted;
import dev.ebb.domain.command.PruneCondition;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.pass.Pruning;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.work.CommandContext;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Prune of the stream whose turn it is. A command with a limit on its deletes goes through the stream twice and only
 * counts the first time. Not thread-safe.
 */
final class StreamPruning {

    private final CommandContext context;
    private final PruneCondition condition;
    private final boolean isDryRun;
    private final boolean countsFirst;
    private final RemovalListener planned;
    private @Nullable Pruning pruning;
    private Deleted counts = Deleted.NOTHING;

    /**
     * @param countsFirst true to count before the deletes; nothing is deleted in a dry run either way
     * @param planned is notified of the removals that a dry run finds
     * @param progress the value that {@link #progress} returned; null if no stream is being pruned
     */
    StreamPruning(
            CommandContext context,
            PruneCondition condition,
            boolean isDryRun,
            boolean countsFirst,
            RemovalListener planned,
            @Nullable String progress) {
        this.context = context;
        this.condition = condition;
        this.isDryRun = isDryRun;
        this.countsFirst = countsFirst;
        this.planned = planned;
        this.pruning =
                progress == null ? null : Pruning.decode(Base64.getDecoder().decode(progress));
    }

    enum Step {
        /** The stream must finish its move or its recount first. */
        WAITS,
        /** More work remains, to be done at once. */
        MORE,
        /** The events that would go have been counted; the next step begins to delete them. */
        COUNTED,
        /** The stream is done. */
        DONE
    }

    /** Continues with the stream, as far as the budget goes. */
    Step step(StreamState stream, SweepBudget budget, RemovalListener removals) {
        if (stream.isMoving() || stream.isSuspect()) {
            return Step.WAITS;
        }
        Pruning current = pruning;
        if (current == null) {
            current = context.store().beginPrune(stream, condition, isDryRun || countsFirst);
            pruning = current;
        }
        boolean isDone = context.store().prune(stream, current, budget, current.isDryRun() ? planned : removals);
        context.schedule().touch(stream);
        if (!isDone) {
            return Step.MORE;
        }
        counts = current.counts();
        boolean hasCounted = current.isDryRun() && !isDryRun;
        pruning = hasCounted ? current.confirmed() : null;
        return hasCounted ? Step.COUNTED : Step.DONE;
    }

    /** Returns the counts of the events that went from the finished stream, or would go from the counted one. */
    Deleted counts() {
        return counts;
    }

    /** Leaves the stream as it is; returns the counts of its deletes so far, null if it was not being pruned. */
    @Nullable
    Deleted breakOff() {
        Pruning broken = pruning;
        if (broken != null) {
            broken.leave();
        }
        pruning = null;
        return broken == null || (broken.isDryRun() && !isDryRun) || broken.hasFoundNothing() ? null : broken.counts();
    }

    /** Returns the progress of the prune, to be saved; null if no stream is being pruned. */
    @Nullable
    String progress() {
        return pruning == null ? null : Base64.getEncoder().encodeToString(pruning.encode());
    }
}
