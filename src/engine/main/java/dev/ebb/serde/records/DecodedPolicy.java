package dev.ebb.serde.records;

import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.Wait;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.RetentionSettings;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.domain.source.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of reading a record of the topic of policies, or of accepted policies. */
public sealed interface DecodedPolicy {

    /** The key of a {@link Mark}; no scope has this form. */
    String MARK_KEY = "gate";

    /** A policy without a fault. */
    record Policy(RetentionPolicy policy) implements DecodedPolicy {}

    /** A hold without a fault. */
    record OfHold(Hold hold) implements DecodedPolicy {}

    /** A source without a fault. */
    record OfSource(Source source) implements DecodedPolicy {}

    /** The settings that decide deletes. */
    record OfSettings(RetentionSettings settings) implements DecodedPolicy {}

    /**
     * The progress of the policy gate.
     *
     * @param reflectedOffset the newest reflected offset of the topic of policies; -1 for none
     * @param unreadable the reason why a policy cannot be read yet; null if every policy was read
     * @param waiting the records that the brake holds back
     */
    record Mark(long reflectedOffset, @Nullable String unreadable, List<WaitingPolicy> waiting)
            implements DecodedPolicy {

        public Mark {
            waiting = List.copyOf(waiting);
        }
    }

    /**
     * A record whose schema is not known yet; the registry is being asked in the background.
     *
     * @param waitsFor the wait of the record
     */
    record Pending(Wait waitsFor) implements DecodedPolicy {}

    /** A record that cannot be used, now or later; the detail names every fault. */
    record Bad(Rejection rejection) implements DecodedPolicy {}
}
