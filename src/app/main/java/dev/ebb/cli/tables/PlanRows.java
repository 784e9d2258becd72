package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.plan.PlanOutcome;

/** The rows of a plan in the table of a result. */
final class PlanRows {

    private PlanRows() {}

    /** Adds the rows for a command, which has deleted. */
    static void show(Table table, PlanOutcome plan, boolean isVerbose) {
        show(table, plan, isVerbose, "carried out", "digest of the deleted");
    }

    /** Adds the rows for a change of policies, whose events go with the next sweeps. */
    static void showGoing(Table table, PlanOutcome plan) {
        show(table, plan, true, "what goes is the plan", "digest of what goes");
    }

    private static void show(Table table, PlanOutcome plan, boolean isVerbose, String verdict, String ofDone) {
        Boolean isExact = plan.exact();
        // There is nothing to carry out in a plan without events.
        if (isVerbose || isExact != null || plan.events() > 0) {
            table.fact("plan", plan.planId());
        }
        if (isVerbose && !plan.madeBy().isEmpty()) {
            table.fact("made by", plan.madeBy());
        }
        if (isExact != null) {
            String word = isExact ? "exactly" : "not exactly";
            table.fact(verdict, new Cell(word, isExact ? Style.GREEN : Style.YELLOW));
        } else if (isVerbose || plan.events() > 0) {
            table.fact("plan expires", Texts.time(plan.expiresAt()));
        }
        boolean differs = plan.digestDone() != null && !plan.digest().equals(plan.digestDone());
        if (isVerbose || differs) {
            table.fact("events of the plan", Texts.count(plan.events()));
            table.fact("digest", plan.digest());
        }
        if (differs) {
            table.fact(ofDone, String.valueOf(plan.digestDone()));
        }
        plan.leftOut().forEach((reason, events) -> table.fact("left out, " + reason, Texts.count(events)));
    }
}
