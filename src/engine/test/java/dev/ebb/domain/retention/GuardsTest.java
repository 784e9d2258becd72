package dev.ebb.domain.retention;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.model.Policies;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reasons to keep an event that age, own TTL or a cap would take: guards, holds, and for readers the mode. */
@Tag("M-12")
class GuardsTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long HOUR = 3_600_000;
    private static final StoredEvent PLAIN = event("s", "e").stored(T0);
    private static final Place OVER_CAPS = new Place(12, 12_000, 0, 0);

    @ParameterizedTest
    @CsvSource({"-1, true", "0, false", "1, false"})
    @Tag("M-13")
    void shouldStandAtTheBoundaryOfMinAge(long offset, boolean isGuarded) {
        // given
        EffectivePolicy guarded =
                policy(p -> p.set(PolicyField.MIN_AGE, Limit.of(HOUR)).maxCount(Limit.of(1)));

        // when
        Decision decision = RetentionDecider.decide(PLAIN, OVER_CAPS, guarded, T0 + HOUR + offset);

        // then
        assertThat(decision)
                .isEqualTo(
                        isGuarded
                                ? new Decision.Keep(KeepReason.GUARDED)
                                : new Decision.Remove(RemovalCause.MAX_COUNT));
    }

    @ParameterizedTest
    @CsvSource({"0, true", "1, true", "2, false"})
    void shouldKeepTheLastEvents(long newer, boolean isGuarded) {
        // given
        EffectivePolicy guarded =
                policy(p -> p.set(PolicyField.KEEP_LAST, Limit.of(2)).maxAge(Limit.of(1)));

        // when
        Decision decision = RetentionDecider.decide(PLAIN, OVER_CAPS.withNewer(newer), guarded, T0 + HOUR);

        // then
        assertThat(decision)
                .isEqualTo(
                        isGuarded ? new Decision.Keep(KeepReason.GUARDED) : new Decision.Remove(RemovalCause.MAX_AGE));
    }

    @Test
    void shouldNotGuardWithoutAGuard() {
        EffectivePolicy unguarded = policy(p -> p.maxAge(Limit.of(1)));

        assertThat(RetentionDecider.decide(PLAIN, OVER_CAPS.withNewer(0), unguarded, T0 + 2))
                .isEqualTo(new Decision.Remove(RemovalCause.MAX_AGE));
        assertThat(RetentionDecider.lastGuardedMs(T0, unguarded)).isEqualTo(-1);
    }

    /** An event of the first millisecond that there is, which must not be taken for one whose time has overflowed. */
    @Test
    void shouldGuardAndAgeEventsOfTheYear1970() {
        StoredEvent oldest = event("s", "e").ttlSeconds(Long.MAX_VALUE / 1000).stored(0);

        assertThat(RetentionDecider.lastGuardedMs(0, policy(p -> p.set(PolicyField.MIN_AGE, Limit.of(1)))))
                .isZero();
        assertThat(RetentionDecider.dueAtMs(oldest, policy(p -> p))).isEqualTo(Long.MAX_VALUE / 1000 * 1000);
    }

    @Test
    void shouldStayUntilAgeAndGuardHaveBothPassed() {
        // given
        EffectivePolicy byAge = policy(p -> p.maxAge(Limit.of(HOUR)).set(PolicyField.MIN_AGE, Limit.of(10)));
        EffectivePolicy byGuard = policy(p -> p.maxAge(Limit.of(10)).set(PolicyField.MIN_AGE, Limit.of(HOUR)));
        StoredEvent timed = event("s", "e").ttlSeconds(1).stored(T0);

        // then
        assertThat(RetentionDecider.removableByAgeMs(T0, byAge)).isEqualTo(T0 + HOUR);
        assertThat(RetentionDecider.removableByAgeMs(T0, byGuard)).isEqualTo(T0 + HOUR - 1);
        assertThat(RetentionDecider.removableAtMs(PLAIN, byAge)).isEqualTo(T0 + HOUR);
        assertThat(RetentionDecider.removableAtMs(timed, byAge)).isEqualTo(T0 + 1000);
        assertThat(RetentionDecider.removableAtMs(timed, byGuard)).isEqualTo(T0 + HOUR - 1);
    }

    @Test
    @Tag("M-18")
    void shouldKeepWhatIsHeldWhateverElseSays() {
        EffectivePolicy strict = policy(p -> p.maxAge(Limit.of(1)));

        assertThat(RetentionDecider.decide(PLAIN, OVER_CAPS, strict, Cover.HOLD, T0 + HOUR))
                .isEqualTo(new Decision.Keep(KeepReason.HELD));
        assertThat(RetentionDecider.isHidden(PLAIN, OVER_CAPS, strict, Cover.HOLD, T0 + HOUR))
                .isFalse();
    }

    @Test
    @Tag("M-17")
    void shouldHideWhatAgeTakesAndNotWhatCapsTake() {
        // given
        EffectivePolicy strict = policy(p -> p.maxAge(Limit.of(HOUR)).maxCount(Limit.of(1)));
        EffectivePolicy lenient =
                policy(p -> p.maxAge(Limit.of(HOUR)).maxCount(Limit.of(1)).mode(PolicyMode.WARN));

        // then
        assertThat(RetentionDecider.isHidden(PLAIN, OVER_CAPS, strict, Cover.NONE, T0 + HOUR))
                .as("the cap takes it at the next sweep")
                .isFalse();
        assertThat(RetentionDecider.isHidden(PLAIN, OVER_CAPS, strict, Cover.NONE, T0 + HOUR + 1))
                .isTrue();
        assertThat(RetentionDecider.isHidden(PLAIN, OVER_CAPS, lenient, Cover.NONE, T0 + HOUR + 1))
                .as("no sweep would delete it")
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, false"})
    @Tag("M-5")
    void shouldKeepTheLastExecutionsOfAStreamThatHasThem(long rank, boolean isAmongLast) {
        Place place = OVER_CAPS.withNewer(99).inExecution(rank);

        assertThat(place.isAmongLast(2)).isEqualTo(isAmongLast);
        assertThat(place.isInCurrentExecution()).isEqualTo(rank == 1);
        assertThat(place).isEqualTo(new Place(12, 12_000, 0, 0, 99, rank));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "2, false", "3, false"})
    void shouldCountNewerEventsWhereThereIsNoExecution(long newer, boolean isAmongLast) {
        assertThat(new Place(5, 6, 0, 0).withNewer(newer).isAmongLast(2)).isEqualTo(isAmongLast);
        assertThat(new Place(5, 6, 0, 0).isAmongLast(Long.MAX_VALUE - 1)).isFalse();
    }

    @Test
    @Tag("M-5")
    void shouldSpareTheCurrentExecutionFromCapsAlone() {
        // given
        EffectivePolicy strict = policy(p -> p.maxAge(Limit.of(HOUR)).maxCount(Limit.of(1)));

        // then
        assertThat(RetentionDecider.decide(PLAIN, OVER_CAPS.inExecution(1), strict, T0))
                .isEqualTo(new Decision.Keep(KeepReason.LIVE));
        assertThat(RetentionDecider.decide(PLAIN, OVER_CAPS.inExecution(2), strict, T0))
                .isEqualTo(new Decision.Remove(RemovalCause.MAX_COUNT));
        assertThat(RetentionDecider.decide(PLAIN, OVER_CAPS.inExecution(1), strict, T0 + HOUR + 1))
                .isEqualTo(new Decision.Remove(RemovalCause.MAX_AGE));
    }

    private static EffectivePolicy policy(UnaryOperator<RetentionPolicy.Builder> fields) {
        return Policies.effective(fields);
    }
}
