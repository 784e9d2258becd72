package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.ebb.domain.event.Anchor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("M-11")
class PolicyValidatorTest {

    @Test
    void shouldFindNothingInAGoodPolicy() {
        RetentionPolicy good = RetentionPolicy.of(Scope.namespace("ns"))
                .maxAge(Limit.of(1))
                .maxCount(Limit.NONE)
                .set(PolicyField.MAX_BYTES, Limit.of(1))
                .anchor(Anchor.COMPLETED)
                .set(PolicyField.MIN_TTL, Limit.of(5))
                .set(PolicyField.MAX_TTL, Limit.of(5))
                .set(PolicyField.ALLOW_INFINITE_TTL, true)
                .intervalMs(1L)
                .set(PolicyField.PATTERN, "cache")
                .enabled(true)
                .build();

        assertThat(PolicyValidator.problems(good)).isEmpty();
    }

    @Test
    void shouldRefuseAPolicyWithoutAnyRule() {
        RetentionPolicy.Builder nothing =
                RetentionPolicy.of(Scope.ALL).updatedBy("eve").confirmed(true);

        assertThat(PolicyValidator.problems(nothing.build())).containsExactly(PolicyValidator.WITHOUT_RULE);
        assertThat(PolicyValidator.problems(nothing.enabled(true).build()))
                .containsExactly(PolicyValidator.WITHOUT_RULE);
        assertThat(PolicyValidator.problems(nothing.enabled(false).build())).noneMatch(PolicyProblem::isFault);
    }

    @Test
    void shouldRefuseBoundsThatContradictEachOther() {
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MIN_TTL, Limit.of(3_600_001))
                .set(PolicyField.MAX_TTL, Limit.of(3_600_000))
                .build();

        assertThat(PolicyValidator.problems(policy))
                .containsExactly(PolicyProblem.fault("minTtl", "must not be greater than maxTtl: 3600001ms > 1h"));
    }

    @Test
    void shouldRefuseAGuardThatOutlivesTheAge() {
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MIN_AGE, Limit.of(2000))
                .maxAge(Limit.of(1000))
                .build();

        assertThat(PolicyValidator.problems(policy))
                .containsExactly(PolicyProblem.fault("minAge", "must not be greater than maxAge: 2s > 1s"));
        assertThat(PolicyValidator.problems(
                        policy.toBuilder().maxAge(Limit.NONE).build()))
                .isEmpty();
        assertThat(PolicyValidator.problems(
                        policy.toBuilder().set(PolicyField.MIN_AGE, Limit.NONE).build()))
                .isEmpty();
    }

    @Test
    void shouldWarnOfWhatIsOnlyOdd() {
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.KEEP_LAST, Limit.of(10))
                .maxCount(Limit.of(5))
                .set(PolicyField.MIN_AGE, Limit.of(10))
                .set(PolicyField.MAX_TTL, Limit.of(5))
                .set(PolicyField.WARN_BEFORE, Limit.of(20))
                .maxAge(Limit.of(15))
                .build();

        assertThat(PolicyValidator.problems(policy))
                .extracting(PolicyProblem::field, PolicyProblem::isFault)
                .containsExactly(tuple("keepLast", false), tuple("minAge", false), tuple("warnBefore", false));
    }

    @Test
    void shouldTakeNoneAsABoundThatContradictsNothing() {
        assertThat(PolicyValidator.problems(RetentionPolicy.of(Scope.ALL)
                        .set(PolicyField.MIN_TTL, Limit.NONE)
                        .set(PolicyField.MAX_TTL, Limit.of(1))
                        .build()))
                .isEmpty();
        assertThat(PolicyValidator.problems(RetentionPolicy.of(Scope.ALL)
                        .set(PolicyField.MIN_TTL, Limit.of(1))
                        .set(PolicyField.MAX_TTL, Limit.NONE)
                        .build()))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseAnIntervalThatIsNotPositive(long intervalMs) {
        RetentionPolicy policy =
                RetentionPolicy.of(Scope.ALL).intervalMs(intervalMs).build();

        assertThat(PolicyValidator.problems(policy)).singleElement().satisfies(problem -> {
            assertThat(problem.isFault()).isTrue();
            assertThat(problem.field()).isEqualTo("interval");
            assertThat(problem.message()).startsWith("must be positive, was ");
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldNotEvenMakeALimitThatIsNotPositive(long value) {
        assertThatThrownBy(() -> Limit.of(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be positive, was " + value);
    }

    @ParameterizedTest
    @ValueSource(strings = {"stream:a", "pattern:mine", "*"})
    void shouldRefuseAPatternOutsideOfANamespace(String scope) {
        RetentionPolicy policy = RetentionPolicy.of(Scope.parse(scope))
                .set(PolicyField.PATTERN, "cache")
                .build();

        assertThat(PolicyValidator.problems(policy))
                .containsExactly(
                        PolicyProblem.fault("pattern", "is for namespace scopes only, this policy is for " + scope));
    }

    @Test
    void shouldRefuseAPatternWhoseNameIsNone() {
        RetentionPolicy policy = RetentionPolicy.of(Scope.namespace("ns"))
                .set(PolicyField.PATTERN, " ")
                .build();

        assertThat(PolicyValidator.problems(policy))
                .containsExactly(PolicyProblem.fault("pattern", "must not begin or end with a blank"));
    }

    @Test
    void shouldNameEveryFaultAtOnce() {
        RetentionPolicy policy = RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.MIN_TTL, Limit.of(2))
                .set(PolicyField.MAX_TTL, Limit.of(1))
                .intervalMs(0L)
                .set(PolicyField.PATTERN, "cache")
                .enabled(false)
                .build();

        assertThat(PolicyValidator.problems(policy))
                .extracting(PolicyProblem::field, PolicyProblem::isFault)
                .containsExactly(
                        tuple("minTtl", true),
                        tuple("interval", true),
                        tuple("pattern", true),
                        tuple("enabled", false));
    }

    @Test
    void shouldOnlyWarnOfADisabledPolicy() {
        assertThat(PolicyValidator.problems(
                        RetentionPolicy.of(Scope.ALL).enabled(false).build()))
                .containsExactly(PolicyProblem.warning("enabled", "is false: this policy is ignored"));
    }
}
