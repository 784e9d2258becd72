package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.WireJson;
import dev.ebb.wire.history.RejectedView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        description =
                "Sends rejected records, their bytes unchanged, back to the topic that they came from. The records"
                        + " stay on the rejected topic too; a record that still cannot be used is rejected again. A"
                        + " record whose value was left out because it was too big cannot be sent: it is an error if"
                        + " named by its id, and is skipped with --reason or --all. If one record cannot be sent, the"
                        + " others are still sent, and the exit code is 1.",
        footer = {"  ebb rejected replay 0-17 2-5", "  ebb rejected replay --reason UNKNOWN_SCHEMA --yes"})
final class RejectedReplayCommand extends ApiCommand {

    private static final int PAGE = 1000;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Ids of records, as 'ebb rejected list' shows them.")
    private @Nullable List<String> ids;

    @Option(
            names = "--reason",
            completionCandidates = CompletionWords.Reasons.class,
            paramLabel = "REASON",
            description = "All records that were rejected for this reason.")
    private @Nullable String reason;

    @Option(names = "--all", description = "All records, whatever the reason.")
    private boolean all;

    private int withoutValue;
    private int notTried;

    @Mixin
    private TimeOptions time;

    @Mixin
    private Question question;

    /**
     * Outcome for the records.
     *
     * @param replayed the answers for the records that were sent
     */
    private record Outcome(List<JsonNode> replayed, List<Failure> failed) {}

    /** A record that was not sent, and the reason. */
    private record Failure(String id, String detail) {}

    @Override
    public Integer call() {
        RestApi rest = api.connect();
        List<RejectedView> records = isByName() ? named(rest) : matching(rest);
        Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
        if (!records.isEmpty()) {
            require(records);
            // Oldest first, in the order of arrival; the list begins with the newest.
            List<String> oldestFirst = new ArrayList<>();
            records.forEach(record -> oldestFirst.add(0, record.id()));
            replay(rest, oldestFirst, outcome);
        }
        String sent = records.isEmpty()
                ? "nothing to send"
                : "sent " + Texts.counted(outcome.replayed().size(), "record");
        output.print(WireJson.tree(outcome), terminal -> terminal.out().println(sent));
        note(outcome);
        return (outcome.failed().isEmpty() ? ExitCode.OK : ExitCode.FAILED).code();
    }

    private void require(List<RejectedView> records) {
        question.require("there is no terminal to ask on; add --yes to send them", api::address, terminal -> {
            RejectedCommand.ListCommand.table(records).print(terminal);
            return "Send " + Texts.counted(records.size(), "record") + " once more?";
        });
    }

    private void note(Outcome outcome) {
        if (withoutValue > 0) {
            output.note(Texts.counted(withoutValue, "record") + " skipped: the value was too big to be kept");
        }
        outcome.failed().forEach(failure -> output.note(failure.id() + " was not sent: " + failure.detail()));
        if (notTried > 0) {
            output.note(
                    Texts.counted(notTried, "record") + " after it " + (notTried == 1 ? "was" : "were") + " not tried");
        }
    }

    /**
     * Replays the records. A record that cannot be sent says nothing about the next one; an instance or broker that is
     * away does.
     */
    private void replay(RestApi rest, List<String> ids, Outcome outcome) {
        for (int i = 0; i < ids.size(); i++) {
            try {
                outcome.replayed().add(rest.post(RestPath.of("v1", "rejected", ids.get(i), "replay")));
            } catch (CommandFailure e) {
                outcome.failed().add(new Failure(ids.get(i), String.valueOf(e.getMessage())));
                if (e.exitCode() == ExitCode.NOT_READY) {
                    notTried = ids.size() - i - 1;
                    return;
                }
            }
        }
    }

    private boolean isByName() {
        boolean isByName = ids != null && !ids.isEmpty();
        boolean isByFilter = all || reason != null;
        if (isByName == isByFilter || (all && reason != null)) {
            throw CommandFailure.usage("name records by their ids, or --reason, or --all");
        }
        return isByName;
    }

    private List<RejectedView> named(RestApi rest) {
        List<RejectedView> records = new ArrayList<>();
        if (ids != null) {
            ids.forEach(id -> records.add(0, Json.as(rest.get(RestPath.of("v1", "rejected", id)), RejectedView.class)));
        }
        return records;
    }

    private List<RejectedView> matching(RestApi rest) {
        List<RejectedView> records = new ArrayList<>();
        String after = null;
        do {
            JsonNode answer = rest.get(time.addTo(RestPath.of("v1", "rejected")
                    .with("reason", reason)
                    .with("limit", PAGE)
                    .with("after", after)));
            RejectedView.Page page = Json.as(answer, RejectedView.Page.class);
            page.rejected().forEach(record -> addTo(records, record));
            after = page.next();
        } while (after != null);
        return records;
    }

    private void addTo(List<RejectedView> records, RejectedView record) {
        if (RejectedCommand.ListCommand.isWithoutValue(record)) {
            withoutValue++;
        } else {
            records.add(record);
        }
    }
}
