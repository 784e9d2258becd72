package dev.ebb.port;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

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
     * @throws TooBigException if the brake could not ask about all of it at once; nothing has changed then
     * @throws UnavailableException if the broker did not take it; nothing has changed then
     */
    Outcome publish(PolicyBatch change, Duration wait);

    /** The changes that the brake holds back until somebody confirms them (O-8), in no particular order. */
    List<WaitingPolicy> waiting();

    /** What the brake holds back of that scope or case. */
    default Optional<WaitingPolicy> waiting(PolicyKey key) {
        return waiting().stream().filter(one -> one.key().equals(key)).findFirst();
    }

    /**
     * Lets through what waits, that very version and no later one, and waits until it is in force on this instance.
     *
     * @param actor who confirms it; empty if unknown
     * @param reason why; empty if unknown
     * @return what became of it; empty if that version turned out not to wait any more
     * @throws UnavailableException if the broker did not take it; nothing has changed then
     */
    Optional<Outcome> confirm(WaitingPolicy waiting, String actor, String reason, Duration wait);

    /**
     * Has a record dropped that cannot be read, and with it the rest of its file; it goes to the rejected topic. Returns
     * when the broker has the order.
     *
     * @param key the key of the record, which need not be one that a policy or hold may have
     * @param version the offset of the only record that is meant; negative: whichever waits
     * @param actor who wants it; empty if unknown
     * @throws UnavailableException if the broker did not take it
     */
    void dropUnread(String key, long version, String actor, String reason);

    /** A change of policies is too big to come into force at once. */
    final class TooBigException extends RuntimeException {

        private static final long serialVersionUID = 1;

        /** @param message names the limit */
        public TooBigException(String message) {
            super(message);
        }
    }

    /**
     * What became of a change that the broker has taken.
     *
     * @param isInForce false if it was not seen in force; it may be a moment later
     * @param version the version of the policies in force when the wait ended
     * @param waiting what the brake holds back of it
     * @param withdrawn what had waited for the same scopes and cases, and does not any more
     */
    record Outcome(boolean isInForce, long version, List<WaitingPolicy> waiting, List<PolicyKey> withdrawn) {

        public Outcome {
            waiting = List.copyOf(waiting);
            withdrawn = List.copyOf(withdrawn);
        }

        /** Nothing of it is held back, and nothing was. */
        public Outcome(boolean isInForce, long version) {
            this(isInForce, version, List.of(), List.of());
        }
    }
}
