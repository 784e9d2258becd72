package dev.ebb.api.commands;

import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.port.CommandDesk;
import io.javalin.http.Context;

/**
 * Lets an erasure pass only if another person has made its plan, where two people are needed: an erasure cannot be taken
 * back, so the second person sees the number before anything goes.
 */
record Consent(SecondPerson second) {

    /**
     * Ends the request if it is an erasure without the plan of another person. Dry runs, and other commands, pass.
     *
     * @param desk tells the results of commands, confirmed by their partitions
     */
    void require(Context ctx, CommandRequest request, CommandDesk desk) {
        boolean isErasure = request.command() instanceof Command.EraseEvents && !request.isDryRun();
        if (!second.isNeeded() || !isErasure) {
            return;
        }
        String planId = request.plan();
        if (planId == null) {
            throw refused("an erasure needs the plan of another person: one person makes it with 'ebb erase --dry-run',"
                    + " another one carries it out with 'ebb erase --plan ID'");
        }
        PlanOutcome plan = desk.find(planId)
                .filter(CommandResult::isFinal)
                .map(CommandResult::plan)
                .orElseThrow(() -> refused("no finished dry run '" + planId + "' is known here"));
        if (!second.hasPlanned(ctx, plan)) {
            throw refused("the plan '" + planId + "' is by '" + plan.madeBy() + "'; another person carries it out");
        }
    }

    private static ProblemException refused(String why) {
        return new ProblemException(ProblemKind.FORBIDDEN, why + " (api.second.person)");
    }
}
