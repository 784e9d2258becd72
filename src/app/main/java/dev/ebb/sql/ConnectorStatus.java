package dev.ebb.sql;

import java.util.List;
import java.util.Optional;

/**
 * Status of a connector. Immutable.
 *
 * @param name the name in Connect
 * @param state {@code FAILED} if the connector or one of its tasks has failed, or else the state that Connect reports,
 *     or one of the states below that Connect cannot report
 * @param taskStates the state of each task
 * @param problem the problem, in one line; empty if there is none
 * @param restarts the number of restarts by this instance
 */
public record ConnectorStatus(
        String name, String state, List<String> taskStates, Optional<String> problem, long restarts) {

    /** The connector and all its tasks work. */
    public static final String RUNNING = "RUNNING";

    /** The connector, or one of its tasks, has failed and will be restarted. */
    public static final String FAILED = "FAILED";

    /** Connect has the connector and has not started its tasks. */
    public static final String UNASSIGNED = "UNASSIGNED";

    /**
     * The connector has not begun to work yet, because Connect has not been asked, or needs some seconds for its tasks.
     * Only if this lasts is the state another one.
     */
    public static final String STARTING = "STARTING";

    /** Connect does not answer; the connector may well be running. */
    public static final String UNREACHABLE = "UNREACHABLE";

    /** Connect answers and does not have the connector. */
    public static final String MISSING = "MISSING";

    public ConnectorStatus {
        taskStates = List.copyOf(taskStates);
    }

    static ConnectorStatus unasked(String name) {
        return new ConnectorStatus(name, STARTING, List.of(), Optional.empty(), 0);
    }

    ConnectorStatus starting() {
        return new ConnectorStatus(name, STARTING, taskStates, problem, restarts);
    }

    ConnectorStatus withRestarts(long count) {
        return new ConnectorStatus(name, state, taskStates, problem, count);
    }

    boolean isFailed() {
        return state.equals(FAILED);
    }

    /** Returns true if no part of it works and none has failed, as during a start. */
    boolean isIdle() {
        return state.equals(UNASSIGNED) || state.equals(MISSING);
    }

    boolean isRunning() {
        return state.equals(RUNNING);
    }
}
