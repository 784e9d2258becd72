package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Progress;
import dev.ebb.cli.terminal.Texts;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "restore",
        description = {
            "Brings archived events back as new events, under their old ids, with their own times and a new"
                    + " storedAt. Of several copies of an event, the last one comes back.",
            "First shows what would happen to the events under the policies in force. An event whose id is stored is"
                    + " left alone, so the command can be interrupted and run again. An event that the next sweep"
                    + " would delete again is left out: first set a policy that keeps such events. Caps and keepLast"
                    + " are not considered."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ebb archive restore --stream orders/eu-1 --dry-run",
            "  ebb archive restore --namespace orders --sweep 0-1764000000000 --yes"
        })
final class ArchiveRestoreCommand implements Callable<Integer> {

    @Mixin
    private ArchiveFilterOptions filter;

    @Option(names = "--all", description = "Restore the whole archive; needed without a filter.")
    private boolean all;

    @Option(
            names = "--include-expired",
            description = "Also restore events that the next sweep would delete again under the policies in force.")
    private boolean includeExpired;

    @Option(names = "--dry-run", description = "Only show the events that would come back.")
    private boolean dryRun;

    @Mixin
    private Question question;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        requireExtent();
        RestApi rest = api.connectSilently();
        ArchivedFind found = find(rest);
        Restoring restoring = new Restoring(rest, includeExpired);
        RestoreSums planned = go(restoring, found, true);
        if (dryRun || planned.toSend(includeExpired) == 0) {
            return shown(planned, dryRun);
        }
        question.require(
                "this sends events; add --yes to do it, or --dry-run to see what would come back", terminal -> {
                    planned.table().print(terminal);
                    return "Bring " + Texts.counted(planned.toSend(includeExpired), "event") + " back?";
                });
        return shown(go(restoring, found, false), false);
    }

    private void requireExtent() {
        if (filter.isAny() == all) {
            throw CommandFailure.usage(
                    all
                            ? "--all cannot be combined with a filter"
                            : "name a filter, such as --stream or --sweep, or --all; 'ebb archive list' shows the events");
        }
    }

    private ArchivedFind find(RestApi rest) {
        ArchivedFind found = new ArchivedFind();
        try (Progress progress = Progress.saying(
                output.terminal(), () -> Texts.counted(found.size(), "archived event") + " found so far")) {
            found.read(rest, filter::path);
        }
        return found;
    }

    private RestoreSums go(Restoring restoring, ArchivedFind found, boolean isDryRun) {
        RestoreSums sums = new RestoreSums();
        String done = isDryRun ? " looked at" : " gone through";
        try (Progress progress = Progress.saying(
                output.terminal(), () -> Texts.count(sums.total()) + " of " + Texts.count(found.size()) + done)) {
            restoring.run(found, isDryRun, sums);
        } catch (CommandFailure e) {
            throw isDryRun ? e : brokenOff(e, sums.sent());
        }
        return sums;
    }

    private static CommandFailure brokenOff(CommandFailure e, long sent) {
        String what = e.getMessage() + "\n" + Texts.counted(sent, "event")
                + " sent before that. Run the command again: events that are back are left alone";
        return new CommandFailure(e.exitCode(), what, e);
    }

    private int shown(RestoreSums sums, boolean isPlan) {
        ObjectNode result = sums.json().put("dryRun", isPlan);
        output.print(result, terminal -> {
            sums.table().print(terminal);
            terminal.out().println();
            terminal.out().println(summary(sums, isPlan));
        });
        notes(sums, isPlan);
        return (sums.notFound() == 0 ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private String summary(RestoreSums sums, boolean isPlan) {
        if (sums.total() == 0) {
            return "no such events are archived";
        }
        return isPlan
                ? Texts.counted(sums.toSend(includeExpired), "event") + " of " + Texts.count(sums.total())
                        + " would come back"
                : Texts.counted(sums.sent(), "event") + " of " + Texts.count(sums.total()) + " sent";
    }

    private void notes(RestoreSums sums, boolean isPlan) {
        if (!output.isTable()) {
            return;
        }
        if (sums.due() > 0) {
            output.note(Texts.counted(sums.due(), "event") + fateOfDue());
        }
        if (sums.protectedOnes() > 0) {
            String comes = isPlan ? " would come" : sums.protectedOnes() == 1 ? " comes" : " come";
            output.note(Texts.counted(sums.protectedOnes(), "event") + comes
                    + " back protected, by status or because the execution is not known to be terminal: retention"
                    + " does not delete such events until an update ends that work");
        }
        if (sums.notFound() > 0) {
            output.note(Texts.counted(sums.notFound(), "record") + (sums.notFound() == 1 ? " is" : " are")
                    + " not in the archive any more");
        }
    }

    private String fateOfDue() {
        return includeExpired
                ? " will be deleted again by the next sweep; a policy with a longer maxAge keeps them"
                : " would be deleted again by the next sweep; first set a policy that keeps them, or add"
                        + " --include-expired";
    }
}
