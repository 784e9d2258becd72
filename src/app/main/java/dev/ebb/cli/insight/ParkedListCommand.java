package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.Gaps;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.wire.history.ParkedPage;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = {
            "Lists streams with waiting records, the longest wait first.",
            "'ebb status' shows policies that cannot be read."
        },
        footerHeading = "%nExample:%n",
        footer = "  ebb parked list --limit 20")
final class ParkedListCommand implements Callable<Integer> {

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "The most streams to show, up to 1000. Default: ${DEFAULT-VALUE}.")
    private int limit;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        JsonNode all = api.connect().get(RestPath.of("v1", "parked").with("limit", limit));
        output.print(
                all, ParkedPage.class, (terminal, page) -> table(page.parked()).print(terminal));
        Gaps.note(all, output);
        if (output.isTable() && Json.as(all, ParkedPage.class).isMore()) {
            output.note("More streams wait; --limit shows more of them.");
        }
        return ExitCode.OK.code();
    }

    private static Table table(List<ParkedStreamView> streams) {
        return new Columns<ParkedStreamView>()
                .right("#", ParkedStreamView::partition)
                .left("STREAM", stream -> stream.stream().isEmpty() ? Texts.NONE : stream.stream())
                .count("RECORDS", ParkedStreamView::records)
                .bytes("BYTES", ParkedStreamView::bytes)
                .time("SINCE", ParkedStreamView::since)
                .left("WAITS FOR", ParkedStreamView::waitsFor)
                .left("WHY", stream -> why(stream.kind(), stream.problem()))
                .left("FIRST RECORD", ParkedStreamView::first)
                .table(streams);
    }

    static String why(String kind, String problem) {
        return kind + (problem.isEmpty() ? "" : ": " + problem);
    }
}
