package dev.ebb.it;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** The policies under which the {@link Load} lives. */
final class LoadPolicies {

    static final int MAX_COUNT = 60;
    static final int SMALL_MAX_COUNT = 20;
    static final int EVENTS_IN_MAX_BYTES = 40;
    static final int EVENT_BYTES = 178;

    private LoadPolicies() {}

    /** Most of them, for a file. */
    static List<RetentionPolicy> ofFile() {
        return List.of(
                RetentionPolicy.of(Scope.ALL)
                        .anchor(Anchor.OCCURRED)
                        .maxAge(days(10))
                        .build(),
                shiftBefore(),
                RetentionPolicy.of(Scope.namespace("age")).maxAge(hours(1)).build(),
                RetentionPolicy.of(Scope.namespace("jobs"))
                        .anchor(Anchor.COMPLETED)
                        .maxAge(hours(1))
                        .build(),
                RetentionPolicy.of(Scope.namespace("cap"))
                        .maxCount(Limit.of(MAX_COUNT))
                        .build(),
                RetentionPolicy.of(Scope.stream("cap/3"))
                        .maxCount(Limit.of(SMALL_MAX_COUNT))
                        .build(),
                RetentionPolicy.of(Scope.namespace("bytes"))
                        .anchor(Anchor.STORED)
                        .set(PolicyField.MAX_BYTES, Limit.of(EVENTS_IN_MAX_BYTES * EVENT_BYTES + 10))
                        .build());
    }

    /** For REST. */
    static RetentionPolicy bounded() {
        return RetentionPolicy.of(Scope.namespace("bounded"))
                .set(PolicyField.MIN_TTL, Limit.of(Duration.ofMinutes(20).toMillis()))
                .set(PolicyField.MAX_TTL, Limit.of(Duration.ofMinutes(30).toMillis()))
                .build();
    }

    /** For a producer of Avro records. */
    static List<RetentionPolicy> ofProducer() {
        return List.of(
                RetentionPolicy.of(Scope.namespace("keep"))
                        .set(PolicyField.ALLOW_INFINITE_TTL, true)
                        .maxCount(Limit.of(SMALL_MAX_COUNT))
                        .build(),
                RetentionPolicy.of(Scope.namespace("cached"))
                        .set(PolicyField.PATTERN, "cache")
                        .build());
    }

    static List<RetentionPolicy> all() {
        return Stream.of(ofFile(), List.of(bounded()), ofProducer())
                .flatMap(List::stream)
                .toList();
    }

    private static RetentionPolicy shiftBefore() {
        return RetentionPolicy.of(Scope.namespace("shift")).maxAge(days(30)).build();
    }

    /** Makes some ten thousand stored events due. */
    static RetentionPolicy shiftAfter() {
        return RetentionPolicy.of(Scope.namespace("shift")).maxAge(hours(1)).build();
    }

    /** Anchor from which the age of an event of that stream counts under these policies. */
    static Anchor anchorOf(String stream) {
        if (stream.startsWith("jobs/")) {
            return Anchor.COMPLETED;
        }
        return stream.startsWith("bytes/") ? Anchor.STORED : Anchor.OCCURRED;
    }

    /** Returns true if an event of that stream may be kept for ever. */
    static boolean allowsInfinite(String stream) {
        return stream.startsWith("keep/");
    }

    private static Limit days(int days) {
        return Limit.of(Duration.ofDays(days).toMillis());
    }

    private static Limit hours(int hours) {
        return Limit.of(Duration.ofHours(hours).toMillis());
    }
}
