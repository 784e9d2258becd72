package dev.ebb.port;

import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.policy.change.WaitingPolicy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of a policy or a hold that the brake holds back.
 *
 * @param key the scope, or {@code hold:<case>}
 * @param version the version of the record, which a confirmation names
 * @param change the version that all records that come into force together share, such as those of a file
 * @param actor the person who asks for the change; empty if unknown
 * @param since time since which the record has been waiting
 * @param why reason of the wait
 * @param wouldDelete number of events that the change would delete at once; null if not known yet
 * @param atLeast true if the number is a lower bound
 * @param stored the stored events of its scope; null if not known yet
 */
public record WaitingPolicyView(
        String key,
        long version,
        long change,
        String actor,
        Instant since,
        String why,
        @Nullable Long wouldDelete,
        boolean atLeast,
        @Nullable Long stored) {

    public static WaitingPolicyView of(WaitingPolicy waiting) {
        BrakeFinding finding = waiting.finding();
        return new WaitingPolicyView(
                waiting.key().toString(),
                waiting.version(),
                waiting.version(),
                waiting.actor(),
                Instant.ofEpochMilli(waiting.sinceMs()),
                waiting.why(),
                finding == null ? null : (Long) finding.wouldDelete(),
                finding != null && finding.isAtLeast(),
                finding == null ? null : (Long) finding.stored());
    }

    /** All changes that are held back. */
    public record All(List<WaitingPolicyView> waiting) {}
}
