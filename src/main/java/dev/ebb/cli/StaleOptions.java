package dev.ebb.cli;

import dev.ebb.cli.client.RestPath;
import picocli.CommandLine.Option;

/** Whether an answer may be old. */
final class StaleOptions {

    @Option(
            names = "--stale",
            description = "Let a copy on another instance answer where the one that keeps the partition cannot; it is"
                    + " said how far behind the copy is.")
    private boolean isStale;

    RestPath addTo(RestPath path) {
        return path.withFlag("stale", isStale);
    }
}
