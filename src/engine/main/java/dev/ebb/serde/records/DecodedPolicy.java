package dev.ebb.serde.records;

import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyProblem;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a record of the topic of policies, or of accepted policies, turned out to be. */
public sealed interface DecodedPolicy {

    /** The key of a {@link Mark}; no scope is written like this. */
    String MARK_KEY = "gate";

    /**
     * A policy without a fault.
     *
     * @param warnings what is only odd about it
     */
    record Policy(RetentionPolicy policy, List<PolicyProblem> warnings) implements DecodedPolicy {

        public Policy {
            warnings = List.copyOf(warnings);
        }
    }

    /** A hold without a fault. */
    record OfHold(Hold hold) implements DecodedPolicy {}

    /**
     * How far the policy gate has read.
     *
     * @param sourceOffset the newest offset of the topic of policies that is reflected; -1 for none
     * @param unreadable why a policy cannot be read yet; null if every policy was read
     * @param waiting what the brake holds back
     */
    record Mark(long sourceOffset, @Nullable String unreadable, List<WaitingPolicy> waiting) implements DecodedPolicy {

        public Mark {
            waiting = List.copyOf(waiting);
        }

        /** Nothing is held back. */
        public Mark(long sourceOffset, @Nullable String unreadable) {
            this(sourceOffset, unreadable, List.of());
        }
    }

    /**
     * Its schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor what it waits for
     */
    record Pending(Wait waitsFor) implements DecodedPolicy {

        /** It waits for something that has only been asked for. */
        public Pending(String what) {
            this(Wait.of(what));
        }
    }

    /** It cannot be used, now or later; the detail names every fault. */
    record Bad(Rejection rejection) implements DecodedPolicy {}
}
