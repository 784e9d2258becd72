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
     * The policies in force now.
     *
     * @throws NotReadyException while the policies in force are not known
     */
    PolicySet current();

    /**
     * Sends the change as one transaction and waits until it is in force on this instance.
     *
     * @param wait the longest time to wait
     * @throws TooBigException if the change is too big for one question of the brake; nothing has changed then
     * @throws UnavailableException if the broker did not take it; nothing has changed then
     */
    Outcome publish(PolicyBatch change, Duration wait);

    /**
     * What was in force under that key before a change of its rules, or before its hold was released: what {@code undo
     * --revert} puts back (T-3).
     *
     * @param version the version of the change; null for the newest one
     * @return empty if the key has not changed so, or that change lies longer back than anything can be undone
     * @throws NotReadyException while the policies in force are not known
     */
    Optional<FormerPolicy> before(PolicyKey key, @Nullable Long version);

    /** The longest time for which a delete can be undone, whatever a policy says (T-1). */
    Duration undoMax();

    /** The changes that the brake holds back until an operator confirms them (O-8), in no particular order. */
    List<WaitingPolicy> waiting();

    /** The change of that scope or case that the brake holds back. */
    default Optional<WaitingPolicy> waiting(PolicyKey key) {
        return waiting().stream().filter(one -> one.key().equals(key)).findFirst();
    }

    /**
     * Confirms a waiting change, exactly that version, and waits until it is in force on this instance.
     *
     * @param waiting the change as the person was told of it: if its finding is an exact number, no more is let go
     * @param actor the person who confirms it; empty if unknown
     * @param reason the reason for it; empty if unknown
     * @return the outcome; with the change among those that wait if it would delete more by now, or is counted anew, so that
     *     nothing was confirmed; empty if that version turned out not to wait any more
     * @throws UnavailableException if the broker did not take it; nothing has changed then
     */
    Optional<Outcome> confirm(WaitingPolicy waiting, String actor, String reason, Duration wait);

    /**
     * Has an unreadable record dropped to the rejected topic, and with it the rest of its file. Returns when the broker
     * has the order.
     *
     * @param key the key of the record, which need not be one that a policy or hold may have
     * @param version the offset of the only record that is meant; negative for any waiting record
     * @param actor the person who wants it; empty if unknown
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
     * Outcome of a change that the broker has taken.
     *
     * @param isInForce false if it was not seen in force; it may be a moment later
     * @param version the version of the policies in force when the wait ended
     * @param waiting the records of the change that the brake holds back
     * @param withdrawn former changes of these scopes and cases that waited until then and no longer do
     */
    record Outcome(boolean isInForce, long version, List<WaitingPolicy> waiting, List<PolicyKey> withdrawn) {

        public Outcome {
            waiting = List.copyOf(waiting);
            withdrawn = List.copyOf(withdrawn);
        }

        /** An outcome in which nothing is held back, and no former change was withdrawn. */
        public Outcome(boolean isInForce, long version) {
            this(isInForce, version, List.of(), List.of());
        }
    }
}
