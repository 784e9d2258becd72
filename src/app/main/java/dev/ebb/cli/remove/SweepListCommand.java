package dev.ebb.cli.remove;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.options.PageOptions;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.cli.tables.SweepTables;
import dev.ebb.wire.history.SweepView;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "list",
        description = "Lists the sweeps that found something, newest first, added up over partitions.",
        footerHeading = "%nExample:%n",
        footer = "  ebb sweep list --from 2026-11-01T00:00:00Z")
final class SweepListCommand implements Callable<Integer> {

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
                "sweeps",
                () -> time.addTo(RestPath.of("v1", "sweeps")),
                SweepView.Page.class,
                found -> SweepTables.list(found.sweeps()));
    }
}
