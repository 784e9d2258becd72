package dev.ebb.cli.tables;

import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.StreamView.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Open work of a stream, in words. */
public final class OpenWork {

    private OpenWork() {}

    /** Returns whether the stream is open, and why. */
    public static String text(Standing standing) {
        return standing.open() ? "open: " + what(standing) : "closed";
    }

    /** Returns the open executions and events. */
    public static String what(Standing standing) {
        List<String> parts = new ArrayList<>();
        long executions = standing.openExecutions();
        long events = standing.openEvents();
        if (executions > 0) {
            parts.add((executions == 1 ? "execution " : "executions ")
                    + named(standing.openExecutionNumbers(), executions, "")
                    + (executions == 1 ? " is" : " are") + " not terminal");
        }
        if (events > 0) {
            parts.add((events == 1 ? "event " : "events ") + named(standing.openEventIds(), events, "'")
                    + (events == 1 ? " is" : " are") + " of a protected status");
        }
        return String.join("; ", parts);
    }

    private static String named(List<?> names, long all, String quote) {
        String named = names.stream().map(name -> quote + name + quote).collect(Collectors.joining(", "));
        long others = all - names.size();
        return others > 0 ? named + " and " + Texts.count(others) + " more" : named;
    }
}
