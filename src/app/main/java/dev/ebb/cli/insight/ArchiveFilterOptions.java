package dev.ebb.cli.insight;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.domain.retention.RemovalCause;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Filter for deleted events; the filters join with AND. */
final class ArchiveFilterOptions {

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = StreamParameter.class,
            description = "Stream of the events. Default: all.")
    private @Nullable String stream;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace of the events. Default: all.")
    private @Nullable String namespace;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "Cause of the delete: ${COMPLETION-CANDIDATES}. Default: all.")
    private @Nullable RemovalCause cause;

    @Option(
            names = "--sweep",
            paramLabel = "ID",
            description = "Sweep or command that deleted the events. Default: all.")
    private @Nullable String sweep;

    @Mixin
    private TimeOptions time;

    RestPath path() {
        return time.addTo(RestPath.of("v1", "archive")
                .with("stream", stream)
                .with("namespace", namespace)
                .with("cause", cause)
                .with("sweep", sweep));
    }
}
