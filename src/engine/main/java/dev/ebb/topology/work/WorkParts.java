package dev.ebb.topology.work;

import dev.ebb.topology.assess.HourBudget;
import dev.ebb.topology.crowd.CommandCrowd;
import dev.ebb.topology.crowd.ReaderPlaces;
import dev.ebb.topology.order.OpenSearches;
import dev.ebb.topology.order.StreamLines;
import dev.ebb.topology.plan.PlanBook;

/**
 * Parts of which work is made. Not thread-safe.
 *
 * @param context the parts of the partition
 * @param notes saves work and results
 * @param reply sends results to the senders of commands
 * @param parents asks about ancestors of streams
 * @param searches the streams that commands over many streams may still find
 * @param candidates finds streams that match
 * @param plans saves the plans of dry runs
 * @param lines the order of the commands on each stream
 * @param crowd the commands that this partition leads and that are not done
 * @param readers places for the work that reads topics
 * @param erased unconfirmed deletes of erasures within the last hour
 */
public record WorkParts(
        CommandContext context,
        CommandNotes notes,
        Reply reply,
        ParentCheck parents,
        OpenSearches searches,
        Candidates candidates,
        PlanBook plans,
        StreamLines lines,
        CommandCrowd crowd,
        ReaderPlaces readers,
        HourBudget erased) {

    public static WorkParts of(CommandContext context) {
        CommandNotes notes = new CommandNotes(context.store());
        CommandCrowd crowd = new CommandCrowd(context.crowdLimits(), "partition " + context.partition());
        OpenSearches searches = new OpenSearches(context.store());
        return new WorkParts(
                context,
                notes,
                new Reply(context, notes, crowd),
                new ParentCheck(context),
                searches,
                new Candidates(context, searches),
                new PlanBook(context.store()),
                new StreamLines(),
                crowd,
                new ReaderPlaces(),
                new HourBudget(notes));
    }
}
