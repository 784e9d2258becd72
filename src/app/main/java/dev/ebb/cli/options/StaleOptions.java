package dev.ebb.cli.options;

import dev.ebb.cli.client.RestPath;
import picocli.CommandLine.Option;

/** Option that allows a stale answer. */
public final class StaleOptions {

    @Option(
            names = "--stale",
            description = "Let a copy on another instance answer where the one that keeps the partition cannot; it is"
                    + " said how far behind the copy is.")
    private boolean isStale;

    public RestPath addTo(RestPath path) {
        return path.withFlag("stale", isStale);
    }
}
