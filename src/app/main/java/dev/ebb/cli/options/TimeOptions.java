package dev.ebb.cli.options;

import dev.ebb.cli.client.RestPath;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A range of time. */
public final class TimeOptions {

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Earliest time to show: ISO-8601, a date or epoch milliseconds.")
    private @Nullable String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = "Latest time to show: ISO-8601, a date or epoch milliseconds.")
    private @Nullable String to;

    public RestPath addTo(RestPath path) {
        return path.with("from", TimeText.dateAsTime(from)).with("to", TimeText.dateAsTime(to));
    }
}
