package dev.ebb.api;

import dev.ebb.domain.policy.PolicyBatch;
import dev.ebb.domain.policy.PolicySet;
import java.time.Duration;

/** Reads and changes policies and holds. Thread-safe. */
public interface PolicyAdmin {

    /**
     * What is in force now.
     *
     * @throws NotReadyException while that is not known
     */
    PolicySet current();

    /**
     * Sends the change as one transaction and waits until it is in force on this instance.
     *
     * @param wait how long to wait at most
     * @throws UnavailableException if the broker did not take it; nothing has changed then
     */
    Outcome publish(PolicyBatch change, Duration wait);

    /**
     * What became of a change that the broker has taken.
     *
     * @param isInForce false if it was not seen in force; it may be a moment later
     * @param version the version of the policies in force when the wait ended
     */
    record Outcome(boolean isInForce, long version) {}
}
