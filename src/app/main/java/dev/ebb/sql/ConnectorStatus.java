package dev.ebb.sql;

import java.util.List;
import java.util.Optional;

/**
 * How a connector is. Immutable.
 *
 * @param name its name in Connect
 * @param state {@code FAILED} if it or one of its tasks has failed, else the state that Connect gives, or one of the
 *     states here that Connect cannot give
 * @param taskStates the state of each task
 * @param problem what went wrong, in one line; empty if nothing
 * @param restarts how often it was restarted by this instance
 */
public record ConnectorStatus(
        String name, String state, List<String> taskStates, Optional<String> problem, long restarts) {

    /** All that is there works. */
    public static final String RUNNING = "RUNNING";

    /** It, or one of its tasks, has failed and will be restarted. */
    public static final String FAILED = "FAILED";

    /** Connect has it, and has not begun its tasks. */
    public static final String UNASSIGNED = "UNASSIGNED";

    /** Connect has not been asked yet. */
    public static final String UNKNOWN = "UNKNOWN";

    /** Connect does not answer; the connector may well be running. */
    public static final String UNREACHABLE = "UNREACHABLE";

    /** Connect answers and does not have it. */
    public static final String MISSING = "MISSING";

    public ConnectorStatus {
        taskStates = List.copyOf(taskStates);
    }

    static ConnectorStatus unknown(String name) {
        return new ConnectorStatus(name, UNKNOWN, List.of(), Optional.empty(), 0);
    }

    ConnectorStatus withRestarts(long count) {
        return new ConnectorStatus(name, state, taskStates, problem, count);
    }

    boolean isFailed() {
        return state.equals(FAILED);
    }

    boolean isRunning() {
        return state.equals(RUNNING);
    }
}
