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
 * @param version names the record when it is confirmed: its offset on the topic of policies
 * @param change the same for all records that come into force together, such as those of a file
 * @param actor who asks for it; empty if unknown
 * @param since since when it waits
 * @param why what it waits for
 * @param wouldDelete how many events the change would delete at once; null if that is not known yet
 * @param atLeast whether it may be more
 * @param stored the stored events of its scope; null if that is not known yet
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
                waiting.sourceOffset(),
                waiting.changeId(),
                waiting.actor(),
                Instant.ofEpochMilli(waiting.sinceMs()),
                waiting.why(),
                finding == null ? null : (Long) finding.wouldDelete(),
                finding != null && finding.isAtLeast(),
                finding == null ? null : (Long) finding.stored());
    }

    /** All that is held back. */
    public record All(List<WaitingPolicyView> waiting) {}
}
