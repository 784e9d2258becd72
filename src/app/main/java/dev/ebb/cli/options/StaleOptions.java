package dev.ebb.cli.options;

import dev.ebb.cli.client.RestPath;
import picocli.CommandLine.Option;

/** Option that allows a stale answer. */
public final class StaleOptions {

    @Option(
            names = "--stale",
            description = "Let a copy on another instance answer if the instance that keeps the partition cannot;"
                    + " the answer shows how far the copy is behind.")
    private boolean isStale;

    public RestPath addTo(RestPath path) {
        return path.withFlag("stale", isStale);
    }
}
