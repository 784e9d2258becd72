package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.commands.PlanView;

/** A plan among the facts of a result. */
final class PlanTable {

    private PlanTable() {}

    static void show(Table table, PlanView plan) {
        table.fact("plan", plan.planId());
        Boolean isExact = plan.exact();
        if (isExact == null) {
            table.fact("plan expires", Texts.time(plan.expiresAt()));
        } else {
            String word = isExact ? "exactly" : "not exactly";
            table.fact("carried out", new Cell(word, isExact ? Style.GREEN : Style.YELLOW));
        }
        table.fact("events of the plan", Texts.count(plan.events()));
        table.fact("digest", plan.digest());
        if (plan.digestDone() != null && !plan.digest().equals(plan.digestDone())) {
            table.fact("digest of the deleted", plan.digestDone());
        }
        plan.leftOut().forEach((reason, events) -> table.fact("left out, " + reason, Texts.count(events)));
    }
}
