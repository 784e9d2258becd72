package dev.ebb.faults;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.List;

/** The policies of the {@link FaultLoad}: what does not live for ever does not live long. */
final class LoadPolicies {

    /** Nothing of the load that is not protected and not kept for 30 days is alive for longer than this. */
    static final Duration LONGEST_LIFE = Duration.ofSeconds(12);

    /** Lifetime of events of the namespace late, counted from when they happened. */
    static final Duration LATE = Duration.ofSeconds(10);

    private static final int MAX_COUNT = 40;
    private static final int MAX_BYTES = 8000;

    private LoadPolicies() {}

    static List<RetentionPolicy> all() {
        return List.of(
                RetentionPolicy.of(Scope.namespace("flow")).maxAge(seconds(8)).build(),
                RetentionPolicy.of(Scope.namespace("burst")).maxAge(LONGEST).build(),
                RetentionPolicy.of(Scope.namespace("late"))
                        .anchor(Anchor.OCCURRED)
                        .maxAge(Limit.of(LATE.toMillis()))
                        .build(),
                RetentionPolicy.of(Scope.namespace("jobs"))
                        .anchor(Anchor.COMPLETED)
                        .maxAge(seconds(6))
                        .build(),
                RetentionPolicy.of(Scope.namespace("cap"))
                        .anchor(Anchor.OCCURRED)
                        .maxCount(Limit.of(MAX_COUNT))
                        .build(),
                RetentionPolicy.of(Scope.namespace("bytes"))
                        .set(PolicyField.MAX_BYTES, Limit.of(MAX_BYTES))
                        .build());
    }

    private static final Limit LONGEST = Limit.of(LONGEST_LIFE.toMillis());

    private static Limit seconds(int seconds) {
        return Limit.of(Duration.ofSeconds(seconds).toMillis());
    }
}
