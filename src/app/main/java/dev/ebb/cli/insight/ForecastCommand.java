package dev.ebb.cli.insight;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CompletionWords;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.domain.time.DateBound;
import dev.ebb.wire.forecast.ForecastView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "forecast",
        description = {
            "Shows when stored events fall due, by hour, day, week or month: a bar chart on a terminal, else a"
                    + " table.",
            "Numbers are exact for short streams and for streams that fall into one step as a whole; other numbers"
                    + " have a ~. Ignores the windows of sweeps."
        },
        footer = {
            "  ebb forecast",
            "  ebb forecast --namespace orders --by hour",
            "  ebb forecast --by week --from 2026-12-01 --to 2027-03-01 -o json"
        })
public final class ForecastCommand extends ApiCommand {

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAMESPACE",
            description = "Only streams of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--by",
            paramLabel = "STEP",
            defaultValue = "day",
            completionCandidates = CompletionWords.Steps.class,
            description = "hour, day, week, month or a duration such as 6h. Default: ${DEFAULT-VALUE}.")
    private String step = "day";

    @Mixin
    private final TimeOptions time = new TimeOptions(DateBound.AFTER);

    @Override
    public Integer call() {
        JsonNode forecast = api.connect()
                .get(time.addTo(RestPath.of("v1", "forecast").with("namespace", namespace))
                        .with("step", step));
        int exitCode = output.show(
                forecast, ForecastView.class, (terminal, view) -> new ForecastChart(view, step).print(terminal));
        if (output.isTable() && forecast.path("windows").asBoolean()) {
            output.note("A policy limits sweeps to a window: events that fall due outside it go when it opens.");
        }
        return exitCode;
    }
}
