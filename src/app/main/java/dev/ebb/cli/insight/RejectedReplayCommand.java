package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.Question;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        mixinStandardHelpOptions = true,
        description =
                "Sends rejected records, their bytes untouched, back to the topic that they came from. They stay on"
                        + " the rejected topic too; one that still cannot be used is rejected again. One whose value was"
                        + " left out because it was too big cannot be sent: by its id that is an error, with --reason"
                        + " or --all it is passed over. If one cannot be sent, the others are, and the exit code is 1.",
        footerHeading = "%nExamples:%n",
        footer = {"  ebb rejected replay 0-17 2-5", "  ebb rejected replay --reason UNKNOWN_SCHEMA --yes"})
final class RejectedReplayCommand implements Callable<Integer> {

    private static final int PAGE = 1000;

    @Parameters(paramLabel = "ID", arity = "0..*", description = "Which, as 'ebb rejected list' shows them.")
    private @Nullable List<String> ids;

    @Option(
            names = "--reason",
            completionCandidates = CompletionWords.Reasons.class,
            paramLabel = "REASON",
            description = "All records set aside for this reason.")
    private @Nullable String reason;

    @Option(names = "--all", description = "All records, whatever the reason.")
    private boolean all;

    private int withoutValue;
    private int notTried;

    @Mixin
    private TimeOptions time;

    @Mixin
    private Question question;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        RestApi rest = api.connect();
        ArrayNode records = isByName() ? named(rest) : matching(rest);
        ObjectNode result = Json.object();
        ArrayNode replayed = result.putArray("replayed");
        ArrayNode failed = result.putArray("failed");
        if (!records.isEmpty()) {
            question.require("nobody can be asked here; add --yes to send them", terminal -> {
                RejectedListCommand.table(records).print(terminal);
                return "Send " + Texts.counted(records.size(), "record") + " once more?";
            });
            // Oldest first, as they came; the list begins with the newest.
            List<String> oldestFirst = new ArrayList<>();
            records.forEach(record -> oldestFirst.add(0, record.path("id").asText()));
            replay(rest, oldestFirst, replayed, failed);
        }
        output.print(result, terminal -> say(terminal, replayed, records.isEmpty()));
        if (withoutValue > 0) {
            output.note(Texts.counted(withoutValue, "record") + " passed over: the value was too big to be kept");
        }
        failed.forEach(failure -> output.note(failure.path("id").asText() + " was not sent: "
                + failure.path("detail").asText()));
        if (notTried > 0) {
            output.note(
                    Texts.counted(notTried, "record") + " after it " + (notTried == 1 ? "was" : "were") + " not tried");
        }
        return (failed.isEmpty() ? ExitCode.OK : ExitCode.FAILED).code();
    }

    /** One record that cannot be sent says nothing about the next; an instance or a broker that is away does. */
    private void replay(RestApi rest, List<String> ids, ArrayNode replayed, ArrayNode failed) {
        for (int i = 0; i < ids.size(); i++) {
            try {
                replayed.add(rest.post(RestPath.of("v1", "rejected", ids.get(i), "replay")));
            } catch (CommandFailure e) {
                failed.addObject().put("id", ids.get(i)).put("detail", e.getMessage());
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
            throw new CommandFailure(ExitCode.USAGE, "name records by their ids, or --reason, or --all");
        }
        return isByName;
    }

    private ArrayNode named(RestApi rest) {
        ArrayNode records = Json.object().putArray("rejected");
        if (ids != null) {
            ids.forEach(id -> records.insert(0, rest.get(RestPath.of("v1", "rejected", id))));
        }
        return records;
    }

    private ArrayNode matching(RestApi rest) {
        ArrayNode records = Json.object().putArray("rejected");
        String after = null;
        do {
            JsonNode page = rest.get(time.addTo(RestPath.of("v1", "rejected")
                    .with("reason", reason)
                    .with("limit", PAGE)
                    .with("after", after)));
            page.path("rejected").forEach(record -> addTo(records, record));
            after = page.path("next").textValue();
        } while (after != null);
        return records;
    }

    private void addTo(ArrayNode records, JsonNode record) {
        if (RejectedListCommand.isWithoutValue(record)) {
            withoutValue++;
        } else {
            records.add(record);
        }
    }

    private static void say(Terminal terminal, ArrayNode replayed, boolean isNothing) {
        terminal.out().println(isNothing ? "nothing to send" : "sent " + Texts.counted(replayed.size(), "record"));
    }
}
