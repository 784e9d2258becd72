package dev.ebb.cli.options;

import dev.ebb.cli.client.RestPath;
import dev.ebb.domain.time.DateBound;
import dev.ebb.domain.time.Times;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A range of time. */
public final class TimeOptions {

    @Option(names = "--from", paramLabel = "TIME", description = "Earliest time to show: " + Times.FORMS + ".")
    private @Nullable String from;

    @Option(
            names = "--to",
            paramLabel = "TIME",
            description = "Latest time to show, in the same forms; a date means its end.")
    private @Nullable String to;

    private final DateBound end;

    /** Creates options whose last moment is included. */
    public TimeOptions() {
        this(DateBound.END);
    }

    /** @param end the meaning of a date at the end of the range */
    public TimeOptions(DateBound end) {
        this.end = end;
    }

    public RestPath addTo(RestPath path) {
        return path.with("from", TimeText.parameter("--from", from, DateBound.BEGINNING))
                .with("to", TimeText.parameter("--to", to, end));
    }
}
