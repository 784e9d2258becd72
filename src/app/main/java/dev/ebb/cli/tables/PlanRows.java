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
    static void show(Table table, PlanOutcome plan) {
        show(table, plan, "carried out", "digest of the deleted");
    }

    /** Adds the rows for a change of policies, whose events go with the next sweeps. */
    static void showGoing(Table table, PlanOutcome plan) {
        show(table, plan, "what goes is the plan", "digest of what goes");
    }

    private static void show(Table table, PlanOutcome plan, String verdict, String ofDone) {
        table.fact("plan", plan.planId());
        if (!plan.madeBy().isEmpty()) {
            table.fact("made by", plan.madeBy());
        }
        Boolean isExact = plan.exact();
        if (isExact == null) {
            table.fact("plan expires", Texts.time(plan.expiresAt()));
        } else {
            String word = isExact ? "exactly" : "not exactly";
            table.fact(verdict, new Cell(word, isExact ? Style.GREEN : Style.YELLOW));
        }
        table.fact("events of the plan", Texts.count(plan.events()));
        table.fact("digest", plan.digest());
        if (plan.digestDone() != null && !plan.digest().equals(plan.digestDone())) {
            table.fact(ofDone, plan.digestDone());
        }
        plan.leftOut().forEach((reason, events) -> table.fact("left out, " + reason, Texts.count(events)));
    }
}
