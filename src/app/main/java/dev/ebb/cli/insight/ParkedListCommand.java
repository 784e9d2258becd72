package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        description = {
            "Lists streams with waiting records, longest wait first.",
            "A policy that cannot be read is named by 'ebb status'."
        },
        footerHeading = "%nExample:%n",
        footer = "  ebb parked list --limit 20")
final class ParkedListCommand implements Callable<Integer> {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many streams at the most, up to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode all = api.connect().get(RestPath.of("v1", "parked").with("limit", limit));
        output.print(all, terminal -> table(all.path("parked")).print(terminal));
        Gaps.note(all, output);
        if (all.path("isMore").asBoolean() && output.isTable()) {
            output.note("More streams wait; --limit shows more of them.");
        }
        return ExitCode.OK.code();
    }

    static Table table(JsonNode streams) {
        Table table = new Table()
                .right("#")
                .left("STREAM")
                .right("RECORDS")
                .right("BYTES")
                .left("SINCE")
                .left("WAITS FOR")
                .left("WHY")
                .left("FIRST RECORD");
        for (JsonNode stream : streams) {
            String name = stream.path("stream").asText();
            table.row(
                    stream.path("partition").asText(),
                    name.isEmpty() ? Texts.NONE : name,
                    Texts.count(stream.path("records")),
                    Texts.bytes(stream.path("bytes")),
                    Texts.time(stream.path("since")),
                    stream.path("waitsFor").asText(),
                    why(stream),
                    stream.path("first").asText(Texts.NONE));
        }
        return table;
    }

    static String why(JsonNode stream) {
        String problem = stream.path("problem").asText();
        return stream.path("kind").asText() + (problem.isEmpty() ? "" : ": " + problem);
    }
}
