package dev.ebb.port;

import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.FormerPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads and changes policies and holds. Thread-safe. */
public interface PolicyAdmin {

    /**
     * Returns the policies in force now.
     *
     * @throws NotReadyException while the policies in force are not known
     */
    PolicySet current();

    /**
     * Sends the change as one transaction and waits until it is in force on this instance.
     *
     * @param wait the longest time to wait
     * @throws TooBigException if the change is too big for one assessment by the brake; nothing has changed
     * @throws UnavailableException if the broker did not take the change; nothing has changed
     */
    Outcome publish(PolicyBatch change, Duration wait);

    /**
     * Returns the policy or hold that was in force under that key before a change of its rules, or before the release
     * of its hold; {@code undo --revert} puts it back (T-3).
     *
     * @param version the version of the change; null for the newest one
     * @return empty if the key has no such change, or the change is older than anything that can be undone
     * @throws NotReadyException while the policies in force are not known
     */
    Optional<FormerPolicy> before(PolicyKey key, @Nullable Long version);

    /** Returns the longest time for which a delete can be undone, whatever a policy says (T-1). */
    Duration undoMax();

    /** Returns the changes that the brake holds back until an operator confirms them (O-8), in no particular order. */
    List<WaitingPolicy> waiting();

    /** Returns the change of that scope or case that the brake holds back. */
    default Optional<WaitingPolicy> waiting(PolicyKey key) {
        return waiting().stream().filter(one -> one.key().equals(key)).findFirst();
    }

    /**
     * Confirms a waiting change, exactly that version, and waits until it is in force on this instance.
     *
     * @param waiting the change as the person saw it: if its finding is an exact number, the confirmation covers no
     *     larger one
     * @param records the number of records that the person saw waiting together under that version; a confirmation
     *     covers no other number
     * @param actor the person who confirms the change; empty if unknown
     * @param reason the reason for the confirmation; empty if unknown
     * @return the outcome, with the change still among the waiting ones if nothing was confirmed, because the change
     *     would delete more by now, is being counted again or has lost a part to another change; empty if that version
     *     no longer waits
     * @throws UnavailableException if the broker did not take the confirmation; nothing has changed
     */
    Optional<Outcome> confirm(WaitingPolicy waiting, long records, String actor, String reason, Duration wait);

    /**
     * Has an unreadable record dropped to the rejected topic, together with the rest of its file. Returns when the
     * broker has the order.
     *
     * @param key the key of the record, not necessarily a valid key of a policy or hold
     * @param version the offset of the only record to drop; negative for any waiting record
     * @param actor the person who asks for it; empty if unknown
     * @throws UnavailableException if the broker did not take the order
     */
    void dropUnread(String key, long version, String actor, String reason);

    /** Signals a change of policies that is too big to come into force at once. */
    final class TooBigException extends RuntimeException {

        private static final long serialVersionUID = 1;

        /** @param message text that names the limit */
        public TooBigException(String message) {
            super(message);
        }
    }

    /**
     * Outcome of a change that the broker has taken.
     *
     * @param isInForce false if the change was not seen in force; it may be a moment later
     * @param version the version of the policies in force when the wait ended
     * @param waiting the records of the change that the brake holds back
     * @param withdrawn former changes of these scopes and cases that waited before this change and no longer do
     */
    record Outcome(boolean isInForce, long version, List<WaitingPolicy> waiting, List<PolicyKey> withdrawn) {

        public Outcome {
            waiting = List.copyOf(waiting);
            withdrawn = List.copyOf(withdrawn);
        }

        /** Creates an outcome in which nothing is held back and no former change was withdrawn. */
        public Outcome(boolean isInForce, long version) {
            this(isInForce, version, List.of(), List.of());
        }
    }
}
