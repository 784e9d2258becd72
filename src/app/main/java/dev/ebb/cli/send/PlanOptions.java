package dev.ebb.cli.send;

import dev.ebb.cli.options.Question;
import dev.ebb.cli.outcome.CommandFailure;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The plan that a command carries out. */
public final class PlanOptions {

    @Option(
            names = "--plan",
            paramLabel = "ID",
            description = {
                "Carry out the plan of an earlier --dry-run: delete the events that it listed, and no others.",
                "The command's own filters can be left out."
            })
    private @Nullable String plan;

    /** Returns true if a plan is named. */
    public boolean isGiven() {
        return plan != null;
    }

    /** Returns the calls, with the plan if there is one. */
    public Supplier<CommandCall> in(Supplier<CommandCall> calls) {
        return () -> {
            CommandCall call = calls.get();
            call.path().with("plan", plan);
            return call;
        };
    }

    /** Asks for a confirmation of the plan; its dry run has shown the details. */
    public void require(Question question, CommandOptions options) {
        if (options.isDryRun()) {
            throw CommandFailure.usage("--plan carries out an earlier --dry-run; leave out one of the two");
        }
        question.require(DeletionOptions.UNASKED, options::address, terminal -> "Carry out the plan " + plan + "?");
    }
}
