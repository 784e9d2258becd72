package dev.ebb.domain.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.Anchor;
import dev.ebb.model.PolicySamples;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetentionPolicyTest {

    private static final SweepWindow WINDOW = SweepWindow.parse("22:00-06:00 UTC");

    private static final RetentionPolicy FULL = RetentionPolicy.of(Scope.namespace("n"))
            .maxAge(Limit.of(1))
            .maxCount(Limit.of(2))
            .set(PolicyField.MAX_BYTES, Limit.of(3))
            .set(PolicyField.KEEP_LAST, Limit.of(4))
            .set(PolicyField.MIN_AGE, Limit.of(5))
            .anchor(Anchor.OCCURRED)
            .set(PolicyField.MIN_TTL, Limit.of(6))
            .set(PolicyField.MAX_TTL, Limit.of(7))
            .set(PolicyField.ALLOW_INFINITE_TTL, true)
            .mode(PolicyMode.WARN)
            .intervalMs(8L)
            .set(PolicyField.WINDOW, WINDOW)
            .set(PolicyField.WARN_BEFORE, Limit.of(9))
            .set(PolicyField.ARCHIVE, true)
            .set(PolicyField.PATTERN, "cache")
            .enabled(false)
            .confirmed(true)
            .updatedBy("anna")
            .reason("why")
            .build();

    @Test
    void shouldSayInEachFieldWhatWasSet() {
        assertThat(FULL.get(PolicyField.MAX_AGE)).isEqualTo(Limit.of(1));
        assertThat(FULL.get(PolicyField.MAX_COUNT)).isEqualTo(Limit.of(2));
        assertThat(FULL.get(PolicyField.MAX_BYTES)).isEqualTo(Limit.of(3));
        assertThat(FULL.get(PolicyField.KEEP_LAST)).isEqualTo(Limit.of(4));
        assertThat(FULL.get(PolicyField.MIN_AGE)).isEqualTo(Limit.of(5));
        assertThat(FULL.get(PolicyField.ANCHOR)).isEqualTo(Anchor.OCCURRED);
        assertThat(FULL.get(PolicyField.MIN_TTL)).isEqualTo(Limit.of(6));
        assertThat(FULL.get(PolicyField.MAX_TTL)).isEqualTo(Limit.of(7));
        assertThat(FULL.get(PolicyField.ALLOW_INFINITE_TTL)).isTrue();
        assertThat(FULL.get(PolicyField.MODE)).isEqualTo(PolicyMode.WARN);
        assertThat(FULL.get(PolicyField.INTERVAL)).isEqualTo(8);
        assertThat(FULL.get(PolicyField.WINDOW)).isEqualTo(WINDOW);
        assertThat(FULL.get(PolicyField.WARN_BEFORE)).isEqualTo(Limit.of(9));
        assertThat(FULL.get(PolicyField.ARCHIVE)).isTrue();
        assertThat(FULL.pattern()).isEqualTo("cache");
        assertThat(FULL.get(PolicyField.ENABLED)).isFalse();
        assertThat(FULL.confirmed()).isTrue();
        assertThat(FULL.updatedBy()).isEqualTo("anna");
        assertThat(FULL.reason()).isEqualTo("why");
    }

    @Test
    void shouldTellFalseFromUnset() {
        RetentionPolicy no = RetentionPolicy.of(Scope.ALL)
                .set(PolicyField.ALLOW_INFINITE_TTL, false)
                .set(PolicyField.ARCHIVE, false)
                .confirmed(false)
                .build();
        RetentionPolicy unset = RetentionPolicy.of(Scope.ALL).build();

        assertThat(no.get(PolicyField.ALLOW_INFINITE_TTL)).isFalse();
        assertThat(no.get(PolicyField.ARCHIVE)).isFalse();
        assertThat(no.confirmed()).isFalse();
        assertThat(PolicyField.ALL)
                .allSatisfy(field ->
                        assertThat(unset.get(field)).as(field.fieldName()).isNull());
        assertThat(PolicyField.ALL)
                .allSatisfy(field -> assertThat(PolicySamples.full().get(field))
                        .as(field.fieldName())
                        .isNotNull());
    }

    @Test
    void shouldEqualAPolicyOfTheSameScopeAndValuesAlone() {
        assertThat(FULL)
                .isEqualTo(FULL.toBuilder().build())
                .hasSameHashCodeAs(FULL.toBuilder().build());
        assertThat(FULL).isNotEqualTo(FULL.toBuilder().maxAge(Limit.of(2)).build());
        assertThat(RetentionPolicy.of(Scope.ALL).build())
                .isNotEqualTo(RetentionPolicy.of(Scope.stream("s")).build());
    }

    @Test
    void shouldTakeFromTheOtherOneWhatItDoesNotSay() {
        // given
        RetentionPolicy own = RetentionPolicy.of(Scope.stream("s"))
                .maxAge(Limit.of(99))
                .set(PolicyField.PATTERN, "object")
                .build();

        // when
        RetentionPolicy both = own.orElse(FULL);

        // then
        assertThat(both.scope()).isEqualTo(Scope.stream("s"));
        assertThat(both.get(PolicyField.MAX_AGE)).isEqualTo(Limit.of(99));
        assertThat(both.pattern()).isEqualTo("object");
        assertThat(both.get(PolicyField.MAX_COUNT)).isEqualTo(Limit.of(2));
        assertThat(both.reason()).isEqualTo("why");
    }

    @Test
    void shouldInheritRulesAndNotWhatSpeaksOfTheRecordItself() {
        assertThat(PolicyField.ALL)
                .filteredOn(field -> !field.isInherited())
                .extracting(PolicyField::fieldName)
                .containsExactly("pattern", "enabled", "confirmed", "updatedBy", "reason");
    }

    @ParameterizedTest
    @CsvSource({"enforce, ENFORCE", "WARN, WARN", "Enforce, ENFORCE"})
    void shouldReadTheWordOfEachModeInAnyCase(String word, PolicyMode mode) {
        assertThat(PolicyMode.parse(word)).contains(mode);
        assertThat(mode.text()).isEqualToIgnoringCase(word).isLowerCase();
    }

    @Test
    void shouldKnowNoModeOfAnotherWord() {
        assertThat(PolicyMode.parse("dry-run")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0})
    void shouldRefuseALimitThatIsNotPositive(long value) {
        assertThatThrownBy(() -> Limit.of(value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("must be positive, was " + value);
    }

    @Test
    void shouldTakeTheGreatestNumberForNoLimit() {
        assertThat(Limit.of(1).isNone()).isFalse();
        assertThat(Limit.of(Long.MAX_VALUE - 1).isNone()).isFalse();
        assertThat(Limit.of(Long.MAX_VALUE)).isSameAs(Limit.NONE);
        assertThat(Limit.NONE.isNone()).isTrue();
    }
}
