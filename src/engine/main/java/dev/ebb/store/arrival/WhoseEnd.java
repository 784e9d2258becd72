package dev.ebb.store.arrival;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.ExecutionUpdate;

/** Tells of an end whether it may be that of an execution. Doubt favours the work: it is kept. Stateless. */
final class WhoseEnd {

    private WhoseEnd() {}

    /** Returns true if the end may be that of the execution: nothing says that another turn has begun since. */
    static boolean mayEnd(Execution execution, ExecutionUpdate end) {
        Long startedAt = execution.startedAt();
        boolean isStarted = execution.isDeclared()
                && !execution.isTerminal()
                && !String.valueOf(execution.status()).isEmpty();
        return startedAt == null ? !isStarted : startedAt.equals(end.startedAt());
    }

    /** Returns true if the end may be that of an execution that an undo has brought back. */
    static boolean mayEndReturned(Execution execution, ExecutionUpdate end) {
        return end.startedAt() == null
                || execution.startedAt() == null
                || execution.startedAt().equals(end.startedAt());
    }
}
