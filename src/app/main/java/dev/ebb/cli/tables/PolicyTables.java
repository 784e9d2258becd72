package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ShellWord;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.EffectivePolicyView;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.policies.HoldView;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyRecordView;
import dev.ebb.wire.policies.PolicyRecordView.Changed;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Policies, for people. */
public final class PolicyTables {

    private static final Set<String> NOT_RULES = Set.of("scope", "updatedBy", "reason");

    private PolicyTables() {}

    public static void list(Terminal terminal, PolicyRecordView.All all) {
        new Columns<PolicyRecordView>()
                .left("SCOPE", PolicyRecordView::scope)
                .wrapped("RULES", 24, record -> rules(record.policy()))
                .right("VERSION", PolicyTables::version)
                .left("SINCE", record -> Texts.second(record.since()))
                .left("BY", record -> record.policy().path("updatedBy").asText(""))
                .wrapped("REASON", 24, record -> record.policy().path("reason").asText(""))
                .table(all.policies())
                .print(terminal);
    }

    public static void record(Terminal terminal, PolicyRecordView record) {
        Table table = Table.ofFacts().fact("scope", record.scope());
        for (Map.Entry<String, JsonNode> field : record.policy().properties()) {
            if (!field.getKey().equals("scope")) {
                table.fact(field.getKey(), field.getValue().asText());
            }
        }
        table.fact("version", version(record));
        if (record.since() != null) {
            table.fact("since", Texts.second(record.since()));
        }
        WaitingPolicyView waiting = record.waiting();
        if (waiting != null) {
            table.fact("waits", new Cell("version " + waiting.version() + ": " + waiting.why(), Style.YELLOW));
        }
        table.print(terminal);
    }

    /** Shows the changes that the brake holds back. */
    public static void waiting(Terminal terminal, List<WaitingPolicyView> waiting) {
        new Columns<WaitingChange>()
                .left("WAITS", WaitingChange::name)
                .right("VERSION", change -> change.first().version())
                .left("BY", change -> change.first().actor())
                .time("SINCE", change -> change.first().since())
                .wrapped("WHY", 30, change -> change.first().why())
                .table(WaitingChange.of(waiting))
                .print(terminal);
    }

    public static void diff(Terminal terminal, PolicyFileComparisonView diff) {
        Table table = new Table()
                .left("POLICY OR HOLD")
                .left("")
                .left("FIELD")
                .left("IN FORCE")
                .left("IN FILE");
        for (PolicyFileComparisonView.Difference difference : diff.differences()) {
            String kind = difference.kind().name().toLowerCase(Locale.ROOT);
            difference
                    .fields()
                    .forEach(field -> table.row(
                            difference.key(), kind, field.field(), text(field.inForce()), text(field.inFile())));
        }
        if (!diff.differences().isEmpty()) {
            table.print(terminal);
        }
        warn(terminal, diff.warnings());
    }

    private static String text(@Nullable JsonNode value) {
        return value == null || value.isNull() ? "" : field(value);
    }

    /** Returns the value of a field; that of a source may have fields of its own. */
    public static String field(JsonNode value) {
        return value.isContainerNode() ? Json.compact(value) : value.asText("");
    }

    public static void holds(Terminal terminal, HoldView.All all) {
        new Columns<HoldView>()
                .left("CASE", HoldView::caseId)
                .left("COVERS", HoldView::covers)
                .left("REASON", hold -> Objects.requireNonNullElse(hold.reason(), ""))
                .left("BY", hold -> Objects.requireNonNullElse(hold.placedBy(), ""))
                .left("SINCE", hold -> hold.placedAt() == null ? "" : Texts.time(hold.placedAt()))
                .table(all.holds())
                .print(terminal);
    }

    private static void warn(Terminal terminal, List<Fault> warnings) {
        for (Fault warning : warnings) {
            String text = Objects.requireNonNullElse(warning.where(), "") + ": " + warning.message();
            terminal.err().println(terminal.styled(Style.YELLOW, "warning:") + " " + CellText.safe(text));
        }
    }

    /** Shows the outcome of a change and returns its exit code, so that a script need not take success for granted. */
    public static int answer(OutputOptions output, JsonNode answer) {
        Changed changed = Json.as(answer, Changed.class);
        output.print(answer, terminal -> changed(terminal, changed));
        return exitCode(changed);
    }

    /** Returns the exit code of a change: held back, in force, or not yet. */
    public static int exitCode(Changed changed) {
        if (changed.waiting().stream().anyMatch(one -> one.wouldDelete() != null)) {
            return ExitCode.REFUSED.code();
        }
        boolean isDone = changed.inForce() && changed.waiting().isEmpty();
        return (isDone ? ExitCode.OK : ExitCode.NOT_READY).code();
    }

    /** Shows the outcome of a change. */
    public static void changed(Terminal terminal, Changed changed) {
        changed.set().forEach(key -> say(terminal, "set", key));
        changed.removed().forEach(key -> say(terminal, "removed", key));
        changed.withdrawn().forEach(key -> say(terminal, "withdrew the change that waited for", key));
        changed.waiting().forEach(one -> say(terminal, "waits", one.key()));
        warn(terminal, changed.warnings());
        if (!changed.waiting().isEmpty()) {
            // Records of one change are confirmed together, whichever of them is named.
            String key = ShellWord.of(changed.waiting().get(0).key());
            terminal.out()
                    .println(terminal.styled(Style.YELLOW, "held back")
                            + ", the former state stays in force; 'ebb policy confirm " + CellText.safe(key)
                            + " --reason …' confirms the change. To"
                            + " withdraw the change, set the former state again, or delete the policy if"
                            + " there was none");
            waiting(terminal, changed.waiting());
        } else if (changed.inForce()) {
            String version = ", version " + changed.version();
            terminal.out().println(terminal.styled(Style.GREEN, "in force") + version);
        } else {
            String hint = ", not seen in force yet; 'ebb status' shows when";
            terminal.out().println(terminal.styled(Style.YELLOW, "sent") + hint);
        }
        PlanOutcome plan = changed.plan();
        // A change that waits, or is not in force yet, deletes nothing by its plan.
        if (plan != null && changed.inForce() && changed.waiting().isEmpty()) {
            Table facts = Table.ofFacts();
            PlanRows.showGoing(facts, plan);
            facts.print(terminal);
        }
    }

    /** Returns the policy in force for a stream, with the scope of each field. */
    public static Table effective(EffectivePolicyView policy) {
        Table table = new Table().left("POLICY FIELD").left("VALUE").left("FROM");
        policy.fields().forEach((name, field) -> {
            Long version = field.version();
            String from = field.scope() + (version == null ? " (built-in)" : " (version " + version + ")");
            table.row(name, field.value().toString(), from);
        });
        return table;
    }

    private static void say(Terminal terminal, String what, String key) {
        terminal.out().println(what + "  " + CellText.safe(key));
    }

    /** Returns the rules of a policy, in one line. */
    public static String rules(JsonNode policy) {
        return policy.properties().stream()
                .filter(field -> !NOT_RULES.contains(field.getKey()))
                .map(field -> field.getKey() + "=" + field.getValue().asText())
                .collect(Collectors.joining(" "));
    }

    private static String version(PolicyRecordView record) {
        return record.builtIn() ? "built-in" : String.valueOf(record.version());
    }
}
