package dev.ebb.sql;

import java.util.List;
import java.util.Optional;

/**
 * Status of a connector. Immutable.
 *
 * @param name its name in Connect
 * @param state {@code FAILED} if it or one of its tasks has failed, else the state that Connect gives, or one of the
 *     states here that Connect cannot give
 * @param taskStates the state of each task
 * @param problem the problem, in one line; empty if there is none
 * @param restarts number of restarts by this instance
 */
public record ConnectorStatus(
        String name, String state, List<String> taskStates, Optional<String> problem, long restarts) {

    /** The connector and all of its tasks work. */
    public static final String RUNNING = "RUNNING";

    /** The connector, or one of its tasks, has failed and will be restarted. */
    public static final String FAILED = "FAILED";

    /** Connect has the connector and has not begun its tasks. */
    public static final String UNASSIGNED = "UNASSIGNED";

    /** Connect has not been asked yet. */
    public static final String UNKNOWN = "UNKNOWN";

    /** Connect does not answer; the connector may well be running. */
    public static final String UNREACHABLE = "UNREACHABLE";

    /** Connect answers and does not have the connector. */
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
