package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.time.Durations;
import dev.ebb.model.Policies;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("M-8")
class BuiltInPoliciesTest {

    private static final StreamName STREAM = new StreamName("ns/s");

    @Test
    void shouldKeepThirtyDaysWithoutCapsIfNobodySaysAnything() {
        EffectivePolicy effective = Policies.setOf().effective(STREAM);

        assertThat(effective.maxAge().value()).isEqualTo(Limit.of(Durations.parseMs("30d")));
        assertThat(effective.get(PolicyField.MAX_COUNT).value()).isEqualTo(Limit.NONE);
        assertThat(effective.get(PolicyField.MAX_BYTES).value()).isEqualTo(Limit.NONE);
        assertThat(effective.anchor().value()).isEqualTo(Anchor.STORED);
        assertThat(effective.minTtl().value()).isEqualTo(Limit.NONE);
        assertThat(effective.maxTtl().value()).isEqualTo(Limit.NONE);
        assertThat(effective.allowInfiniteTtl().value()).isFalse();
        assertThat(effective.get(PolicyField.INTERVAL).value()).isEqualTo(1000);
        assertThat(effective.maxAge().source().isBuiltIn()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "cache, 15m, OCCURRED",
        "session, 24h, OCCURRED",
        "keyvalue, 30d, OCCURRED",
        "timeseries, 90d, STORED",
        "graph, unlimited, STORED",
        "vector, 90d, STORED",
        "object, 90d, STORED"
    })
    void shouldKnowThePatterns(String pattern, String maxAge, Anchor anchor) {
        // given
        PolicySet policies = Policies.setOf(RetentionPolicy.of(Scope.namespace("ns"))
                .set(PolicyField.PATTERN, pattern)
                .build());
        Limit expected = maxAge.equals("unlimited") ? Limit.NONE : Limit.of(Durations.parseMs(maxAge));

        // then
        assertThat(policies.effective(STREAM).maxAge().value()).isEqualTo(expected);
        assertThat(policies.effective(STREAM).anchor().value()).isEqualTo(anchor);
    }

    @Test
    void shouldListThemAllWithTheWidestFirst() {
        assertThat(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE).all().keySet())
                .extracting(Scope::toString)
                .containsExactly(
                        "*",
                        "pattern:cache",
                        "pattern:session",
                        "pattern:keyvalue",
                        "pattern:timeseries",
                        "pattern:graph",
                        "pattern:vector",
                        "pattern:object");
    }

    @Test
    void shouldKeepTheBuiltInValueOfFieldsThatARecordDoesNotSet() {
        // given
        PolicySet policies = Policies.setOf(
                RetentionPolicy.of(Scope.namespace("ns"))
                        .set(PolicyField.PATTERN, "cache")
                        .build(),
                RetentionPolicy.of(Scope.pattern("cache")).maxCount(Limit.of(4)).build(),
                RetentionPolicy.of(Scope.ALL)
                        .set(PolicyField.MAX_BYTES, Limit.of(8))
                        .build());

        // when
        EffectivePolicy effective = policies.effective(STREAM);

        // then
        assertThat(effective.get(PolicyField.MAX_COUNT).value()).isEqualTo(Limit.of(4));
        assertThat(effective.maxAge().value()).isEqualTo(Limit.of(Durations.parseMs("15m")));
        assertThat(effective.get(PolicyField.MAX_BYTES).value()).isEqualTo(Limit.of(8));
        assertThat(effective.get(PolicyField.INTERVAL).value()).isEqualTo(1000);
    }

    @Test
    void shouldTakeTheDefaultAgeFromTheApplication() {
        PolicySet policies = new PolicySet(Map.of(), new BuiltInPolicies(Limit.NONE), PolicySet.NO_VERSION);

        assertThat(policies.effective(STREAM).maxAge().value()).isEqualTo(Limit.NONE);
        assertThat(policies.effective(STREAM).get(PolicyField.MODE).value()).isEqualTo(PolicyMode.ENFORCE);
    }

    @Test
    @Tag("M-16")
    void shouldTakeTheDefaultModeFromTheApplication() {
        BuiltInPolicies warning = new BuiltInPolicies(Limit.NONE, PolicyMode.WARN);

        assertThat(PolicySet.empty(warning)
                        .effective(STREAM)
                        .get(PolicyField.MODE)
                        .value())
                .isEqualTo(PolicyMode.WARN);
        assertThat(PolicySet.empty(warning).version()).isEqualTo(PolicySet.NO_VERSION);
        assertThat(PolicySet.empty(warning).builtIn()).isSameAs(warning);
    }

    @Test
    void shouldInheritNothingFromAPatternThatNobodyDeclared() {
        PolicySet policies = Policies.setOf(RetentionPolicy.of(Scope.namespace("ns"))
                .set(PolicyField.PATTERN, "unheard")
                .build());

        assertThat(policies.effective(STREAM)).isEqualTo(Policies.setOf().effective(STREAM));
    }
}
