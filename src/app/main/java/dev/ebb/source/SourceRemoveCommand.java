package dev.ebb.source;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.RepeatedTry;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.send.CommandCall;
import dev.ebb.cli.send.CommandOptions;
import dev.ebb.cli.send.DeletionOptions;
import dev.ebb.cli.send.PlanOptions;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.cli.tables.PolicyTables;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Command.EmptySource;
import dev.ebb.domain.source.Source;
import dev.ebb.port.SourceDesk.Reading.State;
import dev.ebb.serde.text.SourceJson;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.policies.PolicyRecordView.Changed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes a source, and its events if they shall go: first it is paused, then they go, and at last the source (F-10). */
@Command(
        name = "remove",
        description = {
            "Removes a source: Ebb reads its topic no more, and sends no tombstones there.",
            "With --keep its events stay, under the policies of their namespaces. If these delete, the removal passes"
                    + " the brake. With --delete they go, and can be undone as other deletes by a command; with"
                    + " --delete-target their records go from the topic too. Held events stay."
        },
        footer = {
            "  ebb source remove orders --keep --reason 'moved to another cluster' --yes",
            "  ebb source remove orders --delete --dry-run",
            "  ebb source remove orders --delete --reason 'not needed any more'"
        })
final class SourceRemoveCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Parameters(paramLabel = "NAME", description = "Name of the source.")
    private String name;

    @ArgGroup(multiplicity = "1")
    private Events events = new Events();

    @Option(names = "--force", description = "Delete protected events too, but never held events.")
    private boolean force;

    @Option(
            names = "--max-deletes",
            paramLabel = "N",
            description =
                    "Delete up to this many events, also more than the brake lets go; refuse to delete any if there"
                            + " are more.")
    private @Nullable Long maxDeletes;

    @Mixin
    private PlanOptions plan;

    @Mixin
    private Question question;

    @Mixin
    private CommandOptions options;

    /** The fate of the events. */
    static final class Events {

        @Option(names = "--keep", description = "Keep the events of the source.")
        private boolean keep;

        @Option(names = "--delete", description = "Delete the events of the source; their records stay on its topic.")
        private boolean delete;

        @Option(
                names = "--delete-target",
                description = "Delete the events of the source, and their records by the tombstones of its target.")
        private boolean deleteTarget;

        /** Exactly one of them is given. */
        boolean areKept() {
            return keep && !delete && !deleteTarget;
        }
    }

    SourceRemoveCommand(CommandEnvironment context) {
        this.plan = new PlanOptions();
        this.question = new Question(context);
        this.options = new CommandOptions(context);
    }

    @Override
    public Integer call() {
        if (!options.isDryRun() && options.isReasonMissing()) {
            throw CommandFailure.usage("--reason is missing; it goes into the audit");
        }
        if (!events.areKept()) {
            return delete();
        }
        if (options.isDryRun() || plan.isGiven() || force || maxDeletes != null) {
            throw CommandFailure.usage("--dry-run, --plan, --force and --max-deletes are for the deletion of events");
        }
        String stay = staying();
        question.require("this removes the source " + name + "; add --yes to do it", options::address, terminal -> {
            terminal.out().println(CellText.safe(stay));
            return "Remove the source " + name + "?";
        });
        int code = PolicyTables.answer(options.output(), remove());
        options.output().note(stay);
        return code;
    }

    /** Returns the number of the events of the source, held ones apart, as a sentence. */
    private String staying() {
        long events;
        try {
            events = options.preview(emptying(true)).outcome().deletions().eventsDeleted();
        } catch (CommandFailure e) {
            return "Its events stay in Ebb; how many is not known now: " + e.getMessage();
        }
        return Texts.counted(events, "event") + " of the source " + name + (events == 1 ? " stays" : " stay")
                + " in Ebb, and so do held ones. Unless a policy of their namespaces says 'mode: warn', sweeps delete those"
                + " that are due.";
    }

    private JsonNode remove() {
        return options.delete(RestPath.of("v1", "sources", name));
    }

    private int delete() {
        Source source = SourceJson.read(options.get(RestPath.of("v1", "sources", name))
                        .path("declaration")
                        .toString()
                        .getBytes(StandardCharsets.UTF_8))
                .source()
                .orElseThrow(
                        () -> new CommandFailure(ExitCode.FAILED, "the declaration of the source is not readable"));
        if (events.deleteTarget && !source.target().hasTombstones()) {
            throw CommandFailure.usage(
                    "the source " + name + " has no target that takes tombstones; --delete deletes its"
                            + " events, and leaves its topic alone");
        }
        if (plan.isGiven()) {
            plan.require(question, options);
        } else if (options.isDryRun()) {
            return options.run(this::emptying);
        } else {
            ask(source);
        }
        pause(source);
        ObjectNode both = Json.object();
        both.set("deleted", emptied());
        both.set("source", remove());
        Changed removed = Json.as(both.path("source"), Changed.class);
        options.output().print(both, terminal -> {
            CommandTables.result(terminal, Json.as(both.path("deleted"), CommandResultView.class), options.isVerbose());
            PolicyTables.changed(terminal, removed);
        });
        return PolicyTables.exitCode(removed);
    }

    private void ask(Source source) {
        question.require(DeletionOptions.UNASKED, options::address, terminal -> {
            CommandResultView preview = options.preview(emptying());
            if (maxDeletes == null) {
                // No more events go than the person has seen.
                maxDeletes = preview.outcome().deletions().eventsDeleted();
            }
            return show(terminal, source, preview);
        });
    }

    private JsonNode emptied() {
        try {
            return options.carryOut(plan.in(this::emptying));
        } catch (CommandFailure e) {
            String stays = "\nThe source stays, and is paused; 'ebb source resume " + name + "' resumes it";
            throw new CommandFailure(e.exitCode(), e.getMessage() + stays, e);
        }
    }

    private CommandCall emptying() {
        return emptying(force);
    }

    private CommandCall emptying(boolean isForced) {
        ObjectNode body = Json.object().put("source", name);
        if (events.deleteTarget) {
            body.put("tombstones", true);
        }
        if (isForced) {
            body.put("force", true);
        }
        CommandCall call = CommandCall.of(EmptySource.KIND, body);
        call.path().with("maxDeletes", maxDeletes);
        return call;
    }

    /** Shows what would go, and where; returns the question. */
    private String show(Terminal terminal, Source source, CommandResultView preview) {
        CommandTables.result(terminal, preview, options.isVerbose(), "of source " + name, () -> {});
        terminal.out().println(CellText.safe(consequence(source)));
        return "Delete them, and remove the source " + name + "?";
    }

    private String consequence(Source source) {
        if (!events.deleteTarget) {
            return "The topic " + source.topic() + " keeps its records: none of these events gets a tombstone.";
        }
        return "Each of these events gets a tombstone in the topic " + source.tombstoneTopic() + "."
                + (source.keep() == Source.Keep.REFERENCE
                        ? " No undo brings them back, since their bytes are on the topic " + source.topic() + " alone."
                        : " An undo brings them back in Ebb, and not on the topic.");
    }

    /** Pauses the source, and waits until no instance reads it: an event that came afterwards would stay. */
    private void pause(Source source) {
        if (!source.isPaused()) {
            options.post(RestPath.of("v1", "sources", name, "pause"));
        }
        new RepeatedTry(PATIENCE, System::nanoTime, RepeatedTry::pause)
                .run(this::requirePaused, e -> e.exitCode() == ExitCode.NOT_READY);
    }

    private void requirePaused() {
        JsonNode shown = options.get(RestPath.of("v1", "sources", name));
        if (!shown.path("reading").path("state").asText().equals(State.PAUSED.text())) {
            throw new CommandFailure(
                    ExitCode.NOT_READY,
                    "an instance still reads the source " + name + ", " + PATIENCE.toSeconds()
                            + " s after its pause; try again");
        }
    }
}
