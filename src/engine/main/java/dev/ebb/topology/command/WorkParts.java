package dev.ebb.topology.command;

import dev.ebb.topology.plan.PlanBook;

/**
 * Parts that works are made of. Not thread-safe.
 *
 * @param context the parts of the partition
 * @param notes remembers works and results
 * @param reply tells senders of commands the results
 * @param parents asks for ancestors of streams
 * @param candidates finds streams that match
 * @param plans notes the plans of dry runs
 */
record WorkParts(
        CommandContext context,
        CommandNotes notes,
        Reply reply,
        ParentCheck parents,
        Candidates candidates,
        PlanBook plans) {

    static WorkParts of(CommandContext context) {
        CommandNotes notes = new CommandNotes(context.store());
        return new WorkParts(
                context,
                notes,
                new Reply(context.outbox(), notes, context.observer()),
                new ParentCheck(context),
                new Candidates(context),
                new PlanBook(context.store()));
    }
}
