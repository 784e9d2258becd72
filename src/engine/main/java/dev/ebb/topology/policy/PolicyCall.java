package dev.ebb.topology.policy;

import dev.ebb.domain.time.Durations;
import dev.ebb.topology.wire.ErrandBodies.Follow;

/**
 * Call of the gate to new policies. The call reaches the task as a record and the policies reach the instance
 * separately, so either may come first: until the instance has the policies, the task looks often. Not thread-safe.
 */
public final class PolicyCall {

    private static final long NONE = -1;

    /** Time for which the task looks often. A call that takes longer is a fault, and waits for the idle punctuation. */
    private static final long PATIENCE_MS = 2000;

    private long reflectedOffset = NONE;
    private long untilMs;

    /** Takes the call; if another call is open, the newer one counts. */
    public void take(Follow call, long nowMs) {
        reflectedOffset = Math.max(reflectedOffset, call.reflectedOffset());
        untilMs = nowMs + PATIENCE_MS;
    }

    /** Checks whether the instance has the policies to which the task was called. */
    public void look(PolicyView view, long nowMs) {
        if (view.reflectedOffset() >= reflectedOffset || Durations.isOver(untilMs, PATIENCE_MS, nowMs)) {
            reflectedOffset = NONE;
        }
    }

    /** Returns true if another look is worthwhile soon. */
    public boolean isOpen() {
        return reflectedOffset != NONE;
    }
}
