package dev.ebb.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which streams a command over many takes; conditions join with AND. */
final class FilterOptions {

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = StreamParameter.class,
            description = "Only this stream. May be repeated.")
    private @Nullable List<String> streams;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Only streams of this namespace.")
    private @Nullable String namespace;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The most streams, those with the oldest completion first. Default: 1000.")
    private @Nullable Long limit;

    @Option(names = "--all", description = "All streams are meant, although no filter is named; the limit stays.")
    private boolean all;

    /** Whether anything was named. */
    boolean isEmpty() {
        return streams == null && namespace == null && limit == null && !all;
    }

    void putInto(ObjectNode command) {
        if (streams != null) {
            ArrayNode names = command.putArray("streams");
            streams.forEach(names::add);
        }
        if (namespace != null) {
            command.put("namespace", namespace);
        }
        if (limit != null) {
            command.put("limit", limit);
        }
        if (all) {
            command.put("all", true);
        }
    }
}
