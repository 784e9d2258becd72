package dev.ebb.domain.event;

import org.jspecify.annotations.Nullable;

/**
 * One numbered execution of a stream: a generation of a long-running instance. An execution that was not declared is
 * known from its events alone.
 *
 * @param number its number, at least 0; 0 is the implicit execution of events that name none
 * @param status the state of its work; null if it was not declared
 * @param isTerminal true if the work of the execution is done; always true for an execution 0 that was not declared
 * @param startedAt the time at which it began, epoch milliseconds; null if unknown
 * @param completedAt the time at which it became terminal, epoch milliseconds; null if and only if it is not terminal
 *     or not declared
 */
public record Execution(
        long number,
        @Nullable String status,
        boolean isTerminal,
        @Nullable Long startedAt,
        @Nullable Long completedAt) {

    /** Returns an execution that is known from its events alone; only the implicit one is terminal (M-5). */
    public static Execution undeclared(long number) {
        return new Execution(number, null, number == 0, null, null);
    }

    /** Returns true if the status of the execution was declared. */
    public boolean isDeclared() {
        return status != null;
    }
}
