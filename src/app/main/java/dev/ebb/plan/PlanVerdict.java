package dev.ebb.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.policy.change.BrakeLimits;
import dev.ebb.plan.PolicyPlanView.TombstonesView;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyFileComparisonView.Difference;
import dev.ebb.wire.policies.PolicyFileComparisonView.Kind;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a file of policies would change, what goes then, and whether the brake would hold it back (O-27). */
final class PlanVerdict {

    private static final int MOST_NAMED = 5;

    private final List<Difference> changes;
    private final List<Difference> missing;
    private final boolean prunes;
    private final CommandResultView plan;
    private final List<TombstonesView> tombstones;

    /**
     * @param diff the file beside what is in force
     * @param prunes true if policies that the file does not have would be removed
     * @param plan the result of the dry run
     * @param tombstones the tombstones that its deletes would send
     */
    PlanVerdict(
            PolicyFileComparisonView diff, boolean prunes, CommandResultView plan, List<TombstonesView> tombstones) {
        this.changes = diff.differences().stream()
                .filter(one -> one.kind() != Kind.MISSING)
                .toList();
        this.missing = diff.differences().stream()
                .filter(one -> one.kind() == Kind.MISSING && !one.key().startsWith("hold:"))
                .toList();
        this.prunes = prunes;
        this.plan = plan;
        this.tombstones = tombstones;
    }

    /**
     * Prints changes, effect and verdict, one line each.
     *
     * @param brake the limits of the brake
     */
    void print(Terminal terminal, BrakeLimits brake) {
        terminal.out().println();
        say(terminal, Style.PLAIN, "Changes: " + changes());
        say(terminal, Style.PLAIN, "Effect: " + effect(brake));
        say(terminal, isHeldBack() ? Style.YELLOW : Style.GREEN, "Verdict: " + verdict());
    }

    /** Returns the exit code that applying the file would have: held back, or in force. */
    ExitCode exitCode() {
        return isHeldBack() ? ExitCode.REFUSED : ExitCode.OK;
    }

    private boolean isHeldBack() {
        return plan.outcome() instanceof Outcome.Swept swept && swept.heldBack();
    }

    private String changes() {
        String set = changes.isEmpty()
                ? "none"
                : changes.stream().limit(MOST_NAMED).map(PlanVerdict::text).collect(Collectors.joining("; "))
                        + (changes.size() > MOST_NAMED ? "; and " + (changes.size() - MOST_NAMED) + " more" : "");
        if (missing.isEmpty()) {
            return set + ".";
        }
        String keys = missing.stream().limit(MOST_NAMED).map(Difference::key).collect(Collectors.joining(", "));
        String more = missing.size() > MOST_NAMED ? " and " + (missing.size() - MOST_NAMED) + " more" : "";
        return set + ". Not in the file, and " + (prunes ? "removed: " : "kept: ") + keys + more + ".";
    }

    private static String text(Difference one) {
        String fields = one.fields().stream()
                .filter(field -> !field.field().equals("scope"))
                .map(field ->
                        field.field() + " " + text(field.inForce(), " → ", "") + text(field.inFile(), "", "inherited"))
                .collect(Collectors.joining(", "));
        return one.key() + (one.kind() == Kind.ADDED ? " (new): " : ": ") + fields;
    }

    /** Returns the value with what follows it, or else the word for none: an answer may have none as a null of JSON. */
    private static String text(@Nullable JsonNode value, String after, String none) {
        return value == null || value.isNull() ? none : PolicyTables.field(value) + after;
    }

    private String effect(BrakeLimits brake) {
        long now = plan.outcome().deletions().eventsDeleted();
        String atOnce = now == 0
                ? "nothing would be deleted at the next sweep"
                : Texts.counted(now, "event") + " would go at the next sweep"
                        + (changesNothing() ? ", with the file or without it" : ", counting those that are due anyway");
        String detail = plan.result().detail();
        return atOnce + (detail.isEmpty() ? ahead(brake) : "; " + detail) + LostRows.afterOthers(rows())
                + PlannedTombstones.afterOthers(tombstones) + ".";
    }

    private long rows() {
        return plan.outcome() instanceof Outcome.Swept swept ? swept.rowsWouldGo() : 0;
    }

    /**
     * Returns what an answer without words of the brake means: it counts only what the change makes due, and only where it
     * is on; of other events that fall due nothing is known.
     */
    private String ahead(BrakeLimits brake) {
        if (changesNothing()) {
            return "";
        }
        return brake.isOn()
                ? ", and the change makes nothing more due " + PlanByNamespace.within(brake.horizonMs())
                : "; the brake is off, so nothing was counted ahead";
    }

    private boolean changesNothing() {
        return changes.isEmpty() && (missing.isEmpty() || !prunes);
    }

    private String verdict() {
        if (isHeldBack()) {
            return "would be held back until an admin confirms it.";
        }
        return changesNothing() ? "changes nothing." : "would come into force at once.";
    }

    private static void say(Terminal terminal, Style style, String text) {
        terminal.out().println(terminal.styled(style, CellText.safe(text)));
    }
}
