package dev.ebb.cli.insight;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.RejectedView;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "list",
        description = "Lists rejected records, newest first.",
        footerHeading = "%nExample:%n",
        footer = "  ebb rejected list --reason UNDECODABLE --limit 20")
final class RejectedListCommand implements Callable<Integer> {

    @Option(
            names = "--reason",
            completionCandidates = CompletionWords.Reasons.class,
            paramLabel = "REASON",
            description = "Reason why the records were rejected. Default: all.")
    private @Nullable String reason;

    @Mixin
    private TimeOptions time;

    @Mixin
    private PageOptions page;

    @Mixin
    private ApiOptions api;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        return page.show(
                api,
                output,
                "rejected",
                () -> time.addTo(RestPath.of("v1", "rejected").with("reason", reason)),
                RejectedView.Page.class,
                found -> table(found.rejected()));
    }

    static Table table(List<RejectedView> records) {
        return new Columns<RejectedView>()
                .left("ID", RejectedView::id)
                .time("REJECTED", RejectedView::rejectedAt)
                .left("REASON", RejectedView::reason)
                .left("FROM", record -> record.topic() + " " + record.partition() + ":" + record.offset())
                .left("KEY", RejectedView::key)
                .right("BYTES", record -> Texts.count(record.bytes()) + (isWithoutValue(record) ? " (left out)" : ""))
                .left("DETAIL", RejectedView::detail)
                .table(records);
    }

    /** Returns true if the value was too big to keep, so that the record cannot be replayed. */
    static boolean isWithoutValue(RejectedView record) {
        return record.leftOut() != null;
    }
}
