package dev.ebb.domain.event;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The ends of executions of a deleted stream that wait for events (O-10).
 *
 * @param ends the number of ends
 * @param executions the first few executions for whose events they wait, lowest first
 */
public record EndsInWaiting(long ends, List<Long> executions) {

    public static final EndsInWaiting NONE = new EndsInWaiting(0, List.of());

    public EndsInWaiting {
        executions = List.copyOf(executions);
    }

    /** Returns a sentence for people, without a full stop; empty if no end waits. */
    public String sentence() {
        String named = executions.stream().map(String::valueOf).collect(Collectors.joining(", "));
        long others = ends - executions.size();
        String all = others > 0 ? named + " and " + others + " more" : named;
        if (ends == 0) {
            return "";
        }
        return ends == 1
                ? "an end of execution " + all + " waits for its events"
                : "ends of executions " + all + " wait for their events";
    }
}
