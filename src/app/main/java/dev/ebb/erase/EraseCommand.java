package dev.ebb.erase;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.ShellWord;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.send.PlanOptions;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.cli.tables.FieldTable;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.domain.command.Command.EraseEvents;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.commands.CommandResultView;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "erase",
        description = {
            "Erases every event that meets all conditions, and its copies in the archive and the trash. Cannot be"
                    + " undone.",
            "Refuses an erasure that would delete more than the brake lets go, unless it has a plan, --max-deletes, or"
                    + " the answer of a person who has seen the number.",
            "Held events stay, and the result names them. Shows every place where bytes of the events may remain,"
                    + " and until when."
        },
        footer = {
            "  ebb erase --where metadata.user=42 --case GDPR-7 --dry-run",
            "  ebb erase --plan 7d0c… --reason 'art. 17' --yes",
            "  ebb erase --where metadata.user=42 --namespace shop --case GDPR-7 --reason 'art. 17' --yes",
            "  ebb erase --where metadata.user=42 --case GDPR-7 --reason 'art. 17' --max-deletes 5000 --yes",
            "  ebb erase status GDPR-7"
        })
@Subcommands(EraseCommand.StatusCommand.class)
public final class EraseCommand implements Callable<Integer> {

    @Option(
            names = "--where",
            paramLabel = "FIELD=TEXT",
            completionCandidates = CompletionWords.Conditions.class,
            description = "Condition: id, stream, type, status, correlationId, contentType, source or metadata.<key> is"
                    + " exactly this text. All conditions must be met. May be repeated. A key that is empty or has an"
                    + " equals sign stands in quotation marks: 'metadata.\"a=b\"=c'.")
    private List<String> where = List.of();

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            converter = ParameterReader.OfName.class,
            description = "Only events of streams of this namespace. Default: all.")
    private @Nullable String namespace;

    @Option(
            names = "--case",
            paramLabel = "CASE",
            description = "Case under which 'ebb erase status' finds the erasure.")
    private @Nullable String caseId;

    @Option(names = "--force", description = "Erase protected events too, but never held events.")
    private boolean force;

    @Option(
            names = "--max-deletes",
            paramLabel = "N",
            description = "Erase up to this many events, also more than the brake lets go; refuse to erase any if more"
                    + " match.")
    private @Nullable Long maxDeletes;

    @Mixin
    private PlanOptions plan;

    @Mixin
    private Question question;

    @Mixin
    private CommandOptions options;

    @Override
    public Integer call() {
        require();
        ObjectNode body = Json.object();
        Json.putGiven(body, "case", caseId);
        if (!where.isEmpty()) {
            where.forEach(body.putArray("where")::add);
        }
        Json.putGiven(body, "namespace", namespace);
        if (force) {
            body.put("force", true);
        }
        Supplier<CommandCall> erase = plan.in(() -> {
            CommandCall call = CommandCall.of(EraseEvents.KIND, body);
            call.path().with("maxDeletes", maxDeletes);
            return call;
        });
        if (plan.isGiven()) {
            plan.require(question, options);
            return show(options.carryOut(erase));
        }
        if (options.isDryRun()) {
            int exitCode = options.run(erase);
            if (options.output().isTable() && !plan.isGiven()) {
                options.output().note("'ebb event list" + conditions() + "' shows the stored events among them.");
            }
            return exitCode;
        }
        question.require(
                DeletionOptions.UNASKED,
                options::address,
                terminal -> show(terminal, erase.get(), options.preview(erase.get())));
        return show(options.carryOut(erase));
    }

    /** Shows the events that would go. A person who agrees has confirmed their number, and no more than that goes. */
    private String show(Terminal terminal, CommandCall call, CommandResultView preview) {
        if (maxDeletes == null) {
            maxDeletes = preview.outcome().deletions().eventsDeleted();
        }
        return DeletionOptions.show(terminal, options, call, preview);
    }

    /** Returns the options with which a search shows the same events. */
    private String conditions() {
        String of = namespace == null ? "" : " --namespace " + ShellWord.of(namespace);
        return where.stream().map(one -> " --where " + ShellWord.of(one)).collect(Collectors.joining()) + of;
    }

    private void require() {
        if (!plan.isGiven() && where.isEmpty()) {
            throw CommandFailure.usage(
                    "erase takes --where, for example --where metadata.user=42, or the --plan of a dry run");
        }
        if (!plan.isGiven() && caseId == null) {
            throw CommandFailure.usage("--case is missing; 'ebb erase status' finds the erasure under it");
        }
        if (!options.isDryRun() && options.isReasonMissing()) {
            throw CommandFailure.usage("--reason is missing; it goes into the audit");
        }
        try {
            where.forEach(EventCondition::parse);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(e);
        }
    }

    /** Shows the result, with the places that the application has named at that moment. */
    private int show(JsonNode result) {
        CommandResultView done = Json.as(result, CommandResultView.class);
        JsonNode erasures = options.get(
                RestPath.of("v1", "erase").with("commandId", done.result().commandId()));
        List<ErasureView> known = Json.as(erasures, ErasureView.Page.class).erasures();
        ObjectNode both = Json.object();
        both.set("result", result);
        both.set("erasures", erasures.path("erasures"));
        options.output().print(both, terminal -> {
            CommandTables.result(terminal, done, options.isVerbose());
            terminal.out().println();
            if (known.isEmpty()) {
                // The audit comes on a topic of its own, possibly later than the result.
                terminal.out().println("'ebb erase status' shows in a moment where bytes of them may remain");
            } else {
                StatusCommand.places(known.get(0)).print(terminal);
            }
        });
        if (options.output().isTable()) {
            options.output().noteMoments(result);
        }
        return OutputOptions.exitCode(result).code();
    }

    @Command(
            name = "status",
            description = {
                "Shows the erasures of a case, and every place where bytes of their events may remain.",
                "A place without a time limit is shown with the setting that would limit it."
            },
            footer = "  ebb erase status GDPR-7")
    static final class StatusCommand extends ReadCommand<ErasureView.Page> {

        StatusCommand() {
            super(ErasureView.SHOW, StatusCommand::table);
        }

        private static void table(Terminal terminal, ErasureView.Page page) {
            page.erasures().forEach(erasure -> {
                FieldTable.of(WireJson.tree(erasure), "places", "left").print(terminal);
                terminal.out().println();
                places(erasure).print(terminal);
            });
        }

        /** Returns the places where bytes of the events may remain. */
        static Table places(ErasureView erasure) {
            Table table = new Table()
                    .wrapped("COULD STILL BE IN", 24)
                    .wrapped("WHAT", 20)
                    .left("UNTIL")
                    .wrapped("BOUNDED BY", 30);
            erasure.places().forEach(place -> table.row(place.name(), place.content(), until(place), place.setting()));
            return table;
        }

        private static String until(ErasureView.PlaceView place) {
            if (place.until() == null) {
                return "no bound";
            }
            return place.isClean()
                    ? "gone since " + place.until()
                    : place.until().toString();
        }
    }
}
