package dev.ebb.cli.send;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.tables.CommandTables;
import dev.ebb.cli.tables.OpenWork;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.domain.command.Outcome;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.events.StreamView;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of commands that delete: on a terminal they first show what would go, and ask. */
public final class DeletionOptions {

    /** Message where no person can be asked. */
    public static final String UNASKED = "this deletes; add --yes to do it, or --dry-run to see what would go";

    @Option(
            names = "--max-deletes",
            paramLabel = "N",
            description = "Refuse the command if it would delete more events than this.")
    private @Nullable Long maxDeletes;

    @Mixin
    private PlanOptions plan;

    @Mixin
    private Question question;

    @Mixin
    private CommandOptions options;

    DeletionOptions(CommandEnvironment context) {
        this.plan = new PlanOptions();
        this.question = new Question(context);
        this.options = new CommandOptions(context);
    }

    /** Returns true if a plan is named, which lists what the command deletes. */
    public boolean hasPlan() {
        return plan.isGiven();
    }

    /** Asks where necessary, sends the command and shows its result. */
    public int run(Supplier<CommandCall> calls) {
        Supplier<CommandCall> bounded = () -> {
            CommandCall call = calls.get();
            call.path().with("maxDeletes", maxDeletes);
            return call;
        };
        if (plan.isGiven()) {
            plan.require(question, options);
        } else if (!options.isDryRun()) {
            question.require(UNASKED, options::address, terminal -> {
                CommandCall call = bounded.get();
                return show(terminal, options, call, options.preview(call));
            });
        }
        return options.run(plan.in(bounded));
    }

    /**
     * Returns the refusal with the names of the open work of the stream, unless that has ended by now or is unknown.
     */
    public CommandFailure withOpenWork(CommandFailure refusal, String stream) {
        StreamView.Standing standing;
        try {
            standing = options.standing(stream);
        } catch (CommandFailure e) {
            return refusal;
        }
        return standing.open()
                ? new CommandFailure(
                        refusal.exitCode(), refusal.getMessage() + "\nOpen: " + OpenWork.what(standing), refusal)
                : refusal;
    }

    /**
     * Shows the events that would go, and the topics of sources that get tombstones; returns the question for a
     * confirmation.
     *
     * @param preview the result of the command as a dry run
     */
    public static String show(Terminal terminal, CommandOptions options, CommandCall call, CommandResultView preview) {
        String where = call.where();
        CommandTables.result(terminal, preview, options.isVerbose(), where, () -> {});
        Outcome.Deleted gone = preview.outcome().deletions();
        PlanOutcome plan = preview.result().plan();
        if (goesNothing(gone) && plan != null && plan.events() > 0) {
            return "Delete the copies of " + Texts.counted(plan.events(), "event") + "?";
        }
        if (goesNothing(gone)) {
            return "No event would go now. Continue anyway?";
        }
        options.tombstonesAhead(call).forEach(sentence -> terminal.out().println(CellText.safe(sentence)));
        return "Delete " + Texts.counted(gone.eventsDeleted(), "event") + (where.isEmpty() ? "" : " " + where) + "?";
    }

    private static boolean goesNothing(Outcome.Deleted gone) {
        return gone.streamsDeleted() == 0 && gone.executionsDeleted() == 0 && gone.eventsDeleted() == 0;
    }
}
