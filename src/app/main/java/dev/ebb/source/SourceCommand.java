package dev.ebb.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.AuthorOptions;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.InputFile;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.policy.ChangeQuestion;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.wire.WireJson;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "source",
        description = "Sources: topics of other applications whose records Ebb takes as events where they already are.",
        footer = {
            "  ebb source test sources.yaml",
            "  ebb source apply sources.yaml --reason 'orders under retention'",
            "  ebb source list"
        })
@Subcommands({
    SourceTestCommand.class,
    SourceCommand.ApplyCommand.class,
    SourceCommand.ListCommand.class,
    SourceCommand.DescribeCommand.class,
    SourceCommand.PauseCommand.class,
    SourceCommand.ResumeCommand.class,
    SourceCommand.ResetCommand.class,
    SourceRemoveCommand.class
})
public final class SourceCommand extends CommandGroup {

    @Command(
            name = "apply",
            description =
                    "Sets all sources of a file, with the policies and holds that it has; they come into force together."
                            + " Until a policy says 'mode: enforce', sweeps delete none of their events.",
            footer = "  ebb source apply sources.yaml --reason 'orders under retention' --yes")
    static final class ApplyCommand extends OutputCommand {

        @Parameters(paramLabel = "FILE", description = "YAML or JSON, plain or .gz; - reads standard input.")
        private String file;

        @Mixin
        private ChangeQuestion change;

        private final CommandEnvironment context;

        ApplyCommand(CommandEnvironment context) {
            this.context = context;
            this.change = new ChangeQuestion(context);
        }

        @Override
        public Integer call() {
            String text = InputFile.of(file, context).text();
            PolicyFile read = PolicyFile.read(text);
            if (!read.isFaulty() && read.sources().isEmpty()) {
                throw CommandFailure.usage(file + " has no sources; 'ebb policy apply' takes a file of policies alone");
            }
            RestPath path = RestPath.of("v1", "policies:apply").withFlag("anyway", change.isAnswered());
            JsonNode changed = change.api().connect().postYaml(change.author().sign(path), text);
            return PolicyTables.answer(output, changed);
        }
    }

    @Command(name = "list", footer = "  ebb source list")
    static final class ListCommand extends ReadCommand<SourceView.All> {

        private static final int MOST_STARTS = 12;

        ListCommand() {
            super(SourceView.LIST, ListCommand::table);
        }

        private static Table table(SourceView.All all) {
            return new Columns<SourceView>()
                    .left("NAME", SourceView::name)
                    .left("TOPIC", SourceView::topic)
                    .left("TARGET", SourceView::target)
                    .left("MODE", SourceView::mode)
                    .left("STATE", source -> source.reading().state())
                    .left("LAG", source -> text(source.reading().lag()))
                    .left("PER SECOND", source -> text(source.reading().perSecond()))
                    .count("REJECTED", source -> source.reading().rejected())
                    .count("OVERTAKEN", source -> source.reading().overtaken())
                    .table(all.sources());
        }

        static String text(SourceView.Start start) {
            return Texts.count(start.start())
                    + (start.next() > start.start() ? "; it would be " + Texts.count(start.next()) : "")
                    + "; there begins: " + start.heldBy();
        }

        private static @Nullable String text(@Nullable Long number) {
            return number == null ? null : Texts.count(number);
        }

        @Override
        protected void note(SourceView.All all, RestApi connected, OutputOptions below) {
            if (all.sources().isEmpty()) {
                below.note("No source is in force. 'ebb source test FILE' tries one without changing anything.");
            }
            for (SourceView source : all.sources()) {
                if (source.reading().problem() != null) {
                    below.note(source.name() + " needs attention: "
                            + source.reading().problem() + ".");
                }
                List<SourceView.Start> starts = source.reading().starts();
                for (SourceView.Start start : starts.subList(0, Math.min(MOST_STARTS, starts.size()))) {
                    below.note("Start of " + source.topic() + "-" + start.partition() + ": " + text(start) + ".");
                }
                if (starts.size() > MOST_STARTS) {
                    below.note("'ebb source describe " + source.name() + "' shows all " + Texts.count(starts.size())
                            + " starts.");
                }
                if (source.reading().lastFault() != null) {
                    Instant at = source.reading().lastFaultAt();
                    below.note("Last fault of " + source.name() + (at == null ? "" : ", " + Texts.time(at)) + ": "
                            + source.reading().lastFault() + ".");
                }
            }
        }
    }

    @Command(name = "describe", footer = "  ebb source describe orders")
    static final class DescribeCommand extends ReadCommand<SourceView> {

        DescribeCommand() {
            super(SourceView.SHOW, DescribeCommand::table);
        }

        /** Shows the declaration as it may stand in a file. */
        private static void table(Terminal terminal, SourceView source) {
            ObjectNode facts = Json.object();
            WireJson.tree(source).properties().forEach(field -> facts.set(field.getKey(), field.getValue()));
            facts.remove(List.of("reading", "declaration"));
            WireJson.tree(source.reading()).properties().forEach(field -> facts.set(field.getKey(), field.getValue()));
            facts.remove("starts");
            Table table = FieldTable.of(facts);
            source.reading()
                    .starts()
                    .forEach(start -> table.fact("start of partition " + start.partition(), ListCommand.text(start)));
            table.print(terminal);
            terminal.out().println();
            terminal.out().println("declaration:");
            Json.yaml(source.declaration()).lines().forEach(line -> terminal.out()
                    .println("  " + CellText.safe(line)));
        }
    }

    /** Command that asks for another state of a source. */
    abstract static class StateCommand extends ApiCommand {

        private final String state;
        private final String after;

        @Parameters(paramLabel = "NAME", description = "Name of the source.")
        private String name;

        @Mixin
        private AuthorOptions author;

        /**
         * @param state the last part of the path
         * @param after said when the change is in force; may be empty
         */
        StateCommand(String state, String after) {
            this.state = state;
            this.after = after;
        }

        @Override
        public Integer call() {
            RestPath path = RestPath.of("v1", "sources", name, state);
            int code = PolicyTables.answer(output, api.connect().post(author.sign(path)));
            if (code == ExitCode.OK.code() && !after.isEmpty()) {
                output.note(after);
            }
            return code;
        }
    }

    @Command(
            name = "pause",
            description =
                    "Pauses a source: its topic is not read until 'ebb source resume', and sweeps send no tombstones there.",
            footer = "  ebb source pause orders --reason 'the producers are being moved'")
    static final class PauseCommand extends StateCommand {

        PauseCommand() {
            super(
                    "pause",
                    "It is paused when 'ebb source list' says so; until then, pausing, an instance reads it still.");
        }
    }

    @Command(
            name = "resume",
            description = "Resumes a source that is paused, from where it was read last.",
            footer = "  ebb source resume orders --reason 'the producers are moved'")
    static final class ResumeCommand extends StateCommand {

        ResumeCommand() {
            super("resume", "");
        }
    }

    @Command(
            name = "reset",
            description = {
                "Sets the place from which a paused source is read when it is resumed.",
                "Records that are read again become events again, also those that retention has deleted: they go again"
                        + " when they are due."
            },
            footer = "  ebb source reset orders --to 2026-11-01T00:00Z --reason 'new mapping' --yes")
    static final class ResetCommand extends OutputCommand {

        @Parameters(paramLabel = "NAME", description = "Name of the source.")
        private String name;

        @Option(
                names = "--to",
                required = true,
                paramLabel = "PLACE",
                description = "earliest, latest or a time: ISO-8601, a date, or epoch with its unit.")
        private String to;

        @Mixin
        private ChangeQuestion change;

        ResetCommand(CommandEnvironment context) {
            this.change = new ChangeQuestion(context);
        }

        @Override
        public Integer call() {
            RestApi rest = change.api().connect();
            change.require(
                    "this has the source " + name + " read from " + to,
                    terminal -> "Read the source " + name + " from " + to + "?");
            RestPath path = RestPath.of("v1", "sources", name, "reset").with("to", to);
            JsonNode moved = rest.post(change.author().sign(path));
            output.print(moved, terminal -> FieldTable.of(moved).print(terminal));
            return ExitCode.OK.code();
        }
    }
}
