package dev.ebb.cli.insight;

import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.StreamParameter;
import dev.ebb.cli.options.TimeOptions;
import dev.ebb.domain.retention.RemovalCause;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which deleted events are asked for; the filters join with AND. */
final class ArchiveFilterOptions {

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = StreamParameter.class,
            description = "Only events of this stream.")
    private @Nullable String stream;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only events of streams of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "Only events deleted for this cause: ${COMPLETION-CANDIDATES}.")
    private @Nullable RemovalCause cause;

    @Option(
            names = "--sweep",
            paramLabel = "ID",
            description = "Only events deleted by the sweep or command of this id.")
    private @Nullable String sweep;

    @Mixin
    private TimeOptions time;

    /** Whether any of them is set. */
    boolean isAny() {
        return stream != null || namespace != null || cause != null || sweep != null || time.isAny();
    }

    RestPath path() {
        return time.addTo(RestPath.of("v1", "archive")
                .with("stream", stream)
                .with("namespace", namespace)
                .with("cause", cause)
                .with("sweep", sweep));
    }
}
