package dev.ebb.api;

import dev.ebb.domain.policy.BrakeFinding;
import dev.ebb.domain.policy.WaitingPolicy;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of policies that the brake holds back.
 *
 * @param key the scope, or {@code hold:<case>}
 * @param version names the change when it is confirmed: its offset on the topic of policies
 * @param since since when it waits
 * @param why what it waits for
 * @param wouldDelete how many events it would delete at once; null if that is not known yet
 * @param atLeast whether it may be more
 * @param stored the stored events of its scope; null if that is not known yet
 */
record WaitingPolicyView(
        String key,
        long version,
        Instant since,
        String why,
        @Nullable Long wouldDelete,
        boolean atLeast,
        @Nullable Long stored) {

    static WaitingPolicyView of(WaitingPolicy waiting) {
        BrakeFinding finding = waiting.finding();
        return new WaitingPolicyView(
                waiting.key().toString(),
                waiting.sourceOffset(),
                Instant.ofEpochMilli(waiting.sinceMs()),
                waiting.why(),
                finding == null ? null : (Long) finding.wouldDelete(),
                finding != null && finding.isAtLeast(),
                finding == null ? null : (Long) finding.stored());
    }

    /** All that is held back. */
    record All(List<WaitingPolicyView> waiting) {}
}
