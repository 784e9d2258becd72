package dev.ebb.cli.insight;

import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.wire.history.ParkedPage;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "list",
        description = {
            "Lists streams with waiting records, the longest wait first.",
            "'ebb status' shows policies that cannot be read."
        },
        footer = "  ebb parked list --limit 20")
final class ParkedListCommand extends ReadCommand<ParkedPage> {

    ParkedListCommand() {
        super(ParkedPage.LIST, page -> table(page.parked()));
    }

    @Override
    protected void note(ParkedPage page, RestApi connected, OutputOptions below) {
        if (page.isMore()) {
            below.note("More streams wait; --limit shows more of them.");
        }
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
