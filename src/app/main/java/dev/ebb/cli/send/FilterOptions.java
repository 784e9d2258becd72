package dev.ebb.cli.send;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.options.ParameterReader;
import dev.ebb.cli.outcome.CommandFailure;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Filter for the streams of a command over many; conditions join with AND. */
public final class FilterOptions {

    @Option(
            names = "--stream",
            paramLabel = "STREAM",
            converter = ParameterReader.OfName.class,
            description = "Stream to act on. May be repeated.")
    private @Nullable List<String> streams;

    @Option(names = "--namespace", paramLabel = "NAME", description = "Namespace of the streams to act on.")
    private @Nullable String namespace;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "The most streams to act on, the oldest completion first. Default: 1000.")
    private @Nullable Long limit;

    @Option(names = "--all", description = "Act on all streams, without a filter; the limit stays.")
    private boolean all;

    /** Returns true if neither a filter nor all streams were asked for. */
    public boolean isEmpty() {
        return streams == null && namespace == null && limit == null && !all;
    }

    /**
     * Ends the command if neither a filter nor all streams were asked for.
     *
     * @param timeOption the option that names a time, which is a filter too
     * @param hasTime true if that option was given
     */
    public void require(String timeOption, boolean hasTime) {
        if (streams == null && namespace == null && !hasTime && !all) {
            throw CommandFailure.usage(
                    "name a filter, --stream, --namespace or " + timeOption + ", or add --all for every stream");
        }
    }

    public void putInto(ObjectNode command) {
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
