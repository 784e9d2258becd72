package dev.ebb.cli.remove;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.options.TimeText;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.send.PlanOptions;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.tables.SweepTables;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.command.Command.SweepNow;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.policy.Scope;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.SweepView;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "sweep",
        description = {
            "Sweeps at once, regardless of interval and window: deletes the events that are due under the policies.",
            "On a terminal, first shows the events that would go, and asks."
        },
        footer = {
            "  ebb sweep --namespace orders --dry-run",
            "  ebb sweep --dry-run --at 2026-12-31T00:00:00Z",
            "  ebb sweep --stream orders/eu-1 --reason 'disk is full' --yes"
        })
@Subcommands({SweepCommand.ListCommand.class, SweepCommand.ShowCommand.class})
public final class SweepCommand implements Callable<Integer> {

    @ArgGroup
    private @Nullable Extent extent;

    @Option(
            names = "--at",
            paramLabel = "TIME",
            description = "Time of the sweep that --dry-run shows: ISO-8601, a date, or epoch with its unit.")
    private @Nullable String at;

    @Mixin
    private PlanOptions plan;

    @Mixin
    private Question question;

    @Mixin
    private CommandOptions options;

    /** Streams to sweep, by at most one option; without one, all streams. */
    private static final class Extent {

        @Option(
                names = "--stream",
                paramLabel = "STREAM",
                converter = ParameterReader.OfName.class,
                description = "Stream to sweep. Default: all.")
        private @Nullable String stream;

        @Option(
                names = "--namespace",
                paramLabel = "NAME",
                converter = ParameterReader.OfName.class,
                description = "Namespace to sweep. Default: all.")
        private @Nullable String namespace;

        Scope scope() {
            return stream == null ? Scope.namespace(String.valueOf(namespace)) : Scope.stream(stream);
        }
    }

    @Override
    public Integer call() {
        if (at != null && !options.isDryRun()) {
            throw CommandFailure.usage("--at needs --dry-run; a sweep that deletes uses the current time");
        }
        ObjectNode body = Json.object().put("scope", scope().toString());
        Json.putGiven(body, "at", TimeText.of(CommandField.AT, "--at", at));
        Supplier<CommandCall> sweep = () -> CommandCall.of(SweepNow.KIND, body);
        if (plan.isGiven()) {
            plan.require(question, options);
        } else if (!options.isDryRun()) {
            question.require(
                    DeletionOptions.UNASKED,
                    options::address,
                    terminal -> DeletionOptions.show(terminal, options, sweep.get(), options.preview(sweep.get())));
        }
        return options.run(plan.in(sweep));
    }

    private Scope scope() {
        try {
            return extent == null ? Scope.ALL : extent.scope();
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(e);
        }
    }

    @Command(name = "list", footer = "  ebb sweep list --from 2026-11-01T00:00:00Z")
    static final class ListCommand extends ReadCommand<SweepView.Page> {

        ListCommand() {
            super(SweepView.LIST, page -> SweepTables.list(page.sweeps()));
        }
    }

    @Command(name = "show", footer = "  ebb sweep show sweep-0-1795255200000-1a2b")
    static final class ShowCommand extends ReadCommand<SweepView.Detail> {

        ShowCommand() {
            super(SweepView.SHOW, ShowCommand::table);
        }

        private static void table(Terminal terminal, SweepView.Detail detail) {
            SweepView sweep = detail.sweep();
            FieldTable.of(WireJson.tree(sweep), "deleted", "wouldDelete").print(terminal);
            terminal.out().println();
            boolean isOnlyWarned = sweep.mode().equals("warn");
            SweepTables.causes(isOnlyWarned ? sweep.wouldDelete() : sweep.deleted())
                    .print(terminal);
            if (detail.byPartition().size() > 1) {
                terminal.out().println();
                SweepTables.list(detail.byPartition()).print(terminal);
            }
        }
    }
}
