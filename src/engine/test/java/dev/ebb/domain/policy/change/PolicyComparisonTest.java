package dev.ebb.domain.policy.change;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Changes of policies that the brake looks at. */
@Tag("O-8")
class PolicyComparisonTest {

    private static final Hold HOLD = new Hold("c", Scope.namespace("n"), "", "", 1);
    private static final PolicySet NOTHING = Policies.setOf();

    @ParameterizedTest
    @CsvSource(textBlock = """
            MAX_AGE,     10,  9, true
            MAX_AGE,     10, 11, false
            MAX_AGE,      0, 10, true
            MAX_AGE,     10,  0, false
            MAX_COUNT,   10,  9, true
            MAX_COUNT,    9, 10, false
            MAX_COUNT,    0, 10, true
            MAX_BYTES,   10,  9, true
            MAX_BYTES,    9, 10, false
            MAX_TTL,     10,  9, true
            MAX_TTL,     10,  0, false
            MAX_TTL,      0, 10, true
            KEEP_LAST,   10,  9, true
            KEEP_LAST,   10,  0, true
            KEEP_LAST,    0, 10, false
            KEEP_LAST,    9, 10, false
            MIN_AGE,     10,  9, true
            MIN_AGE,     10,  0, true
            MIN_AGE,      0, 10, false
            MIN_TTL,     10,  9, true
            MIN_TTL,     10,  0, true
            MIN_TTL,      9, 10, false
            WARN_BEFORE, 10,  9, false
            """)
    void shouldKnowWhichWayALimitMayGo(String field, long before, long after, boolean canDeleteMore) {
        assertThat(change(limit(field, before), limit(field, after)).canDeleteMore())
                .isEqualTo(canDeleteMore);
    }

    @Test
    void shouldKnowWhichOtherFieldsMayDelete() {
        assertThat(change(p -> p.anchor(Anchor.STORED), p -> p.anchor(Anchor.OCCURRED))
                        .canDeleteMore())
                .isTrue();
        assertThat(change(
                                p -> p.set(PolicyField.ALLOW_INFINITE_TTL, true),
                                p -> p.set(PolicyField.ALLOW_INFINITE_TTL, false))
                        .canDeleteMore())
                .isTrue();
        assertThat(change(
                                p -> p.set(PolicyField.ALLOW_INFINITE_TTL, false),
                                p -> p.set(PolicyField.ALLOW_INFINITE_TTL, true))
                        .canDeleteMore())
                .isFalse();
        assertThat(change(p -> p.mode(PolicyMode.WARN), p -> p.mode(PolicyMode.ENFORCE))
                        .canDeleteMore())
                .isTrue();
        assertThat(change(p -> p.mode(PolicyMode.ENFORCE), p -> p.mode(PolicyMode.WARN))
                        .canDeleteMore())
                .isFalse();
        assertThat(change(p -> p.intervalMs(9L), p -> p.intervalMs(1L).set(PolicyField.ARCHIVE, true))
                        .canDeleteMore())
                .isFalse();
        assertThat(change(p -> p.reason("a"), p -> p.reason("b").confirmed(true))
                        .canDeleteMore())
                .isFalse();
    }

    @Test
    void shouldDeleteNothingInWarnMode() {
        assertThat(change(p -> p, p -> p.mode(PolicyMode.WARN).maxCount(Limit.of(1)))
                        .canDeleteMore())
                .isFalse();
    }

    @Test
    void shouldTakeARemovedOrDisabledPolicyForTheWiderOne() {
        RetentionPolicy longer =
                RetentionPolicy.of(Scope.namespace("n")).maxAge(Limit.NONE).build();
        RetentionPolicy shorter =
                RetentionPolicy.of(Scope.namespace("n")).maxAge(Limit.of(1)).build();

        assertThat(compare(Policies.setOf(longer), NOTHING).canDeleteMore()).isTrue();
        assertThat(compare(Policies.setOf(shorter), NOTHING).canDeleteMore()).isFalse();
        RetentionPolicy off = longer.toBuilder().enabled(false).build();
        assertThat(compare(Policies.setOf(longer), Policies.setOf(off)).canDeleteMore())
                .isTrue();
        assertThat(compare(NOTHING, Policies.setOf(off)).canDeleteMore()).isFalse();
    }

    @Test
    void shouldNotMindAWiderPolicyWhereANarrowerOneSays() {
        // given
        RetentionPolicy own =
                RetentionPolicy.of(Scope.stream("n/1")).maxAge(Limit.NONE).build();
        RetentionPolicy wide =
                RetentionPolicy.of(Scope.namespace("n")).maxAge(Limit.of(1)).build();

        // when
        PolicyComparison change = compare(Policies.setOf(own), Policies.setOf(own, wide));

        // then
        assertThat(change.canDeleteMore()).isTrue();
        assertThat(change.touches(new StreamName("n/1"))).isFalse();
        assertThat(change.isInScope(new StreamName("n/1"))).isTrue();
        assertThat(change.touches(new StreamName("n/2"))).isTrue();
        assertThat(change.touches(new StreamName("m/2"))).isFalse();
        assertThat(change.isInScope(new StreamName("m/2"))).isFalse();
    }

    @Test
    void shouldFindANarrowScopeThatAWideOneReaches() {
        // given a stream that says everything itself but one field
        RetentionPolicy all =
                RetentionPolicy.of(Scope.ALL).mode(PolicyMode.WARN).build();
        RetentionPolicy stream =
                RetentionPolicy.of(Scope.stream("n/1")).mode(PolicyMode.ENFORCE).build();
        RetentionPolicy strict = all.toBuilder().maxCount(Limit.of(1)).build();

        // then
        assertThat(compare(Policies.setOf(all, stream), Policies.setOf(strict, stream))
                        .canDeleteMore())
                .isTrue();
        assertThat(compare(Policies.setOf(all), Policies.setOf(strict)).canDeleteMore())
                .isFalse();
    }

    @Test
    void shouldFollowPatternsToTheirNamespaces() {
        // given
        RetentionPolicy sessions = RetentionPolicy.of(Scope.namespace("n"))
                .set(PolicyField.PATTERN, "session")
                .build();
        RetentionPolicy caches =
                sessions.toBuilder().set(PolicyField.PATTERN, "cache").build();
        RetentionPolicy shortSessions =
                RetentionPolicy.of(Scope.pattern("session")).maxAge(Limit.of(1)).build();

        // then
        assertThat(compare(Policies.setOf(sessions), Policies.setOf(caches)).canDeleteMore())
                .isTrue();
        assertThat(compare(Policies.setOf(caches), Policies.setOf(sessions)).canDeleteMore())
                .isFalse();
        PolicyComparison change = compare(Policies.setOf(sessions), Policies.setOf(sessions, shortSessions));
        assertThat(change.canDeleteMore()).isTrue();
        assertThat(change.isInScope(new StreamName("n/1"))).isTrue();
        assertThat(change.isInScope(new StreamName("m/1"))).isFalse();
        assertThat(compare(Policies.setOf(caches), Policies.setOf(caches, shortSessions))
                        .canDeleteMore())
                .as("nobody names the pattern")
                .isFalse();
    }

    @Test
    @Tag("M-18")
    void shouldTakeTheEndOfAHoldForMore() {
        PolicySet held = holds(HOLD);
        PolicySet heldTwice = holds(HOLD, new Hold("d", Scope.ALL, "", "", 1));

        assertThat(compare(held, NOTHING).canDeleteMore()).isTrue();
        assertThat(compare(NOTHING, held).canDeleteMore()).isFalse();
        assertThat(compare(heldTwice, holds(new Hold("d", Scope.ALL, "", "", 1)))
                        .canDeleteMore())
                .as("another hold covers all of it")
                .isFalse();
        assertThat(compare(heldTwice, held).canDeleteMore()).isTrue();
        assertThat(compare(held, NOTHING).touches(new StreamName("n/1"))).isTrue();
        assertThat(compare(held, NOTHING).touches(new StreamName("m/1"))).isFalse();
        assertThat(compare(held, NOTHING).isInScope(new StreamName("n/1"))).isTrue();
        assertThat(compare(held, heldTwice).touches(new StreamName("n/1"))).isFalse();
    }

    @Test
    @Tag("M-18")
    void shouldFreeWhatNoOtherHoldCoversWhole() {
        Hold stream = new Hold("s", Scope.stream("n/1"), "", "", 1);
        Hold neighbour = new Hold("t", Scope.stream("n/2"), "", "", 1);
        Hold other = new Hold("m", Scope.namespace("m"), "", "", 1);

        assertThat(compare(holds(stream, HOLD), holds(HOLD)).canDeleteMore())
                .as("its namespace is held")
                .isFalse();
        assertThat(compare(holds(stream, other), holds(other)).canDeleteMore())
                .as("another namespace is held")
                .isTrue();
        assertThat(compare(holds(HOLD, stream), holds(stream)).canDeleteMore())
                .as("the rest of the namespace is free")
                .isTrue();
        assertThat(compare(holds(stream, neighbour), holds(neighbour)).canDeleteMore())
                .as("another stream is held")
                .isTrue();
        assertThat(compare(holds(HOLD, other), holds(other)).canDeleteMore()).isTrue();
        assertThat(compare(holds(HOLD), holds(other)).isInScope(new StreamName("x/1")))
                .isFalse();
    }

    @Test
    void shouldSeeThatAStreamMayLoseNoMore() {
        RetentionPolicy strict =
                RetentionPolicy.of(Scope.stream("n/1")).maxAge(Limit.of(1)).build();
        RetentionPolicy lenient = strict.toBuilder().maxAge(Limit.of(2)).build();

        assertThat(compare(Policies.setOf(strict), Policies.setOf(lenient)).canDeleteMore())
                .isFalse();
        assertThat(compare(Policies.setOf(lenient), Policies.setOf(strict)).canDeleteMore())
                .isTrue();
    }

    @Test
    void shouldSeeNothingInTheSameAgain() {
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1)).build();

        PolicyComparison same = compare(Policies.setOf(policy), Policies.setOf(policy));

        assertThat(same.canDeleteMore()).isFalse();
        assertThat(same.touches(new StreamName("s"))).isFalse();
        assertThat(same.isInScope(new StreamName("s"))).isFalse();
    }

    private static UnaryOperator<RetentionPolicy.Builder> limit(String field, long value) {
        Limit limit = value == 0 ? Limit.NONE : Limit.of(value);
        return policy -> switch (field) {
            case "MAX_AGE" -> policy.maxAge(limit);
            case "MAX_COUNT" -> policy.maxCount(limit);
            case "MAX_BYTES" -> policy.set(PolicyField.MAX_BYTES, limit);
            case "MAX_TTL" -> policy.set(PolicyField.MAX_TTL, limit);
            case "MIN_TTL" -> policy.set(PolicyField.MIN_TTL, limit);
            case "KEEP_LAST" -> policy.set(PolicyField.KEEP_LAST, limit);
            case "MIN_AGE" -> policy.set(PolicyField.MIN_AGE, limit);
            default -> policy.set(PolicyField.WARN_BEFORE, limit);
        };
    }

    private static PolicyComparison change(
            UnaryOperator<RetentionPolicy.Builder> before, UnaryOperator<RetentionPolicy.Builder> after) {
        return compare(Policies.all(before), Policies.all(after));
    }

    private static PolicyComparison compare(PolicySet before, PolicySet after) {
        return new PolicyComparison(before, after);
    }

    private static PolicySet holds(Hold... holds) {
        Map<String, Hold> byCase = new TreeMap<>();
        Arrays.stream(holds).forEach(hold -> byCase.put(hold.caseId(), hold));
        return new PolicySet(Map.of(), byCase, Policies.BUILT_IN, 0);
    }

    @Test
    @Tag("A-2")
    void shouldNameTheOnlyStreamsThatAChangeOfSingleStreamsTouches() {
        // given
        RetentionPolicy own =
                RetentionPolicy.of(Scope.stream("n/1")).maxAge(Limit.of(1)).build();
        Hold held = new Hold("d", Scope.stream("n/2"), "", "", 1);
        RetentionPolicy wide =
                RetentionPolicy.of(Scope.namespace("n")).maxAge(Limit.of(1)).build();

        // then
        assertThat(new PolicyComparison(NOTHING, Policies.setOf(List.of(own), List.of(held))).onlyStreams())
                .containsExactlyInAnyOrder(new StreamName("n/1"), new StreamName("n/2"));
        assertThat(new PolicyComparison(NOTHING, NOTHING).onlyStreams()).isEmpty();
        assertThat(new PolicyComparison(NOTHING, Policies.setOf(own, wide)).onlyStreams())
                .isNull();
        assertThat(new PolicyComparison(NOTHING, Policies.setOf(List.of(own), List.of(HOLD))).onlyStreams())
                .isNull();
    }

    @Test
    @Tag("M-18")
    void shouldPassOverAnotherAuthorOfAHoldOrPolicy() {
        // given
        Hold again = new Hold("c", Scope.namespace("n"), "another", "reason", 2);
        RetentionPolicy own =
                RetentionPolicy.of(Scope.stream("n/1")).maxAge(Limit.of(1)).build();
        PolicySet before = Policies.setOf(List.of(own), List.of(HOLD));
        PolicySet after = Policies.setOf(List.of(own.toBuilder().reason("other").build()), List.of(again));

        // when
        PolicyComparison change = new PolicyComparison(before, after);

        // then
        assertThat(change.onlyStreams()).isEmpty();
        assertThat(change.isInScope(new StreamName("n/1"))).isFalse();
        assertThat(change.canDeleteMore()).isFalse();
    }
}
