package dev.ebb.cli.tables;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.terminal.Texts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** Open work of a stream, in words. */
public final class OpenWork {

    private OpenWork() {}

    /**
     * Whether the stream is open, and why.
     *
     * @param standing as the application describes it
     */
    public static String text(JsonNode standing) {
        return standing.path("open").asBoolean() ? "open: " + what(standing) : "closed";
    }

    /** The executions and events that are open. */
    public static String what(JsonNode standing) {
        List<String> parts = new ArrayList<>();
        long executions = standing.path("openExecutions").asLong();
        long events = standing.path("openEvents").asLong();
        if (executions > 0) {
            parts.add((executions == 1 ? "execution " : "executions ")
                    + named(standing.path("openExecutionNumbers"), executions, "")
                    + (executions == 1 ? " is" : " are") + " not terminal");
        }
        if (events > 0) {
            parts.add((events == 1 ? "event " : "events ") + named(standing.path("openEventIds"), events, "'")
                    + (events == 1 ? " is" : " are") + " of a protected status");
        }
        return String.join("; ", parts);
    }

    private static String named(JsonNode names, long all, String quote) {
        String named = StreamSupport.stream(names.spliterator(), false)
                .map(name -> quote + name.asText() + quote)
                .collect(Collectors.joining(", "));
        long others = all - names.size();
        return others > 0 ? named + " and " + Texts.count(others) + " more" : named;
    }
}
