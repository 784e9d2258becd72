package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.model.TestClock;
import dev.ebb.runtime.watch.ClockGuard.Moment;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("O-7")
class ClockGuardTest {

    private static final long LIMIT = 600_000;
    private static final long T0 = 1_800_000_000_000L;

    private final TestClock clock = new TestClock(T0);
    private final ClockGuard guard = guard(Limit.of(LIMIT));

    @Test
    void shouldTrustNoClockBeforeTheBrokerHasToldItsTime() {
        assertThat(guard.problem()).isEqualTo("the broker has not told its time yet");
        assertThat(guard.differenceMs()).isEmpty();

        answer(0);

        assertThat(guard.problem()).isNull();
        assertThat(guard.differenceMs()).hasValue(0);
    }

    @ParameterizedTest
    @CsvSource({"599999, false", "600000, false", "600001, true"})
    void shouldStopAboveTheLimitWhenTheClockIsAhead(long aheadMs, boolean isProblem) {
        answer(-aheadMs);

        assertThat(guard.differenceMs()).hasValue(aheadMs);
        assertThat(guard.problem())
                .isEqualTo(isProblem ? "the clock of this instance is 10m ahead of the broker's" : null);
    }

    @ParameterizedTest
    @CsvSource({"599999, false", "600000, false", "600001, true"})
    void shouldStopAboveTheLimitWhenTheClockIsBehind(long behindMs, boolean isProblem) {
        // given: an answer takes part of a millisecond at least, which counts in favour of the clock
        answer(behindMs + 1);

        assertThat(guard.differenceMs()).hasValue(-behindMs);
        assertThat(guard.problem())
                .isEqualTo(isProblem ? "the clock of this instance is 10m behind the broker's" : null);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "2500, 0", "5000, 0", "5001, 0", "5002, -1", "-1, 1"})
    void shouldTakeNoPartOfTheWayForADifference(long brokerOffsetMs, long differenceMs) {
        // given
        Moment asked = guard.now();
        clock.advance(5000);

        // when
        guard.answered(asked, T0 + brokerOffsetMs);

        // then
        assertThat(guard.differenceMs()).hasValue(differenceMs);
    }

    @ParameterizedTest
    @CsvSource({"599999,", "600000,", "600001, 10m forward", "-600000,", "-600001, 10m back", "3600000, 1h forward"})
    void shouldNoticeAStepWithoutAskingTheBroker(long stepMs, String text) {
        // given
        answer(0);
        clock.advance(3000);

        // when
        clock.step(stepMs);

        // then
        assertThat(guard.problem()).isEqualTo(text == null ? null : "the clock of this instance has stepped " + text);
        assertThat(guard.differenceMs()).hasValue(stepMs);
    }

    @Test
    void shouldCountASmallStepOnTopOfTheDifference() {
        // given
        answer(-400_000);

        // when
        clock.step(300_000);

        // then
        assertThat(guard.problem()).isEqualTo("the clock of this instance is 11m ahead of the broker's");
    }

    @Test
    void shouldSeeAStepBetweenQuestionAndAnswer() {
        // given
        Moment asked = guard.now();

        // when
        clock.step(LIMIT + 1);
        guard.answered(asked, T0);

        // then
        assertThat(guard.problem()).isEqualTo("the clock of this instance has stepped 10m forward");
    }

    @Test
    void shouldGoOnWhenTheClockIsRightAgain() {
        // given
        answer(0);
        clock.step(3_600_000);
        assertThat(guard.problem()).isNotNull();

        // when
        clock.step(-3_600_000);

        // then
        assertThat(guard.problem()).isNull();
    }

    @Test
    void shouldGoOnWhenTheBrokerAgreesWithTheStep() {
        // given: the clock was an hour behind and is set
        answer(3_600_001);
        assertThat(guard.problem()).isEqualTo("the clock of this instance is 1h behind the broker's");
        clock.step(3_600_000);
        assertThat(guard.problem()).isEqualTo("the clock of this instance has stepped 1h forward");

        // when
        answer(0);

        // then
        assertThat(guard.problem()).isNull();
    }

    @Test
    void shouldLetAnAnswerStandForAsLongAsTheLimit() {
        // given
        answer(0);

        // when
        clock.advance(LIMIT);

        // then
        assertThat(guard.problem()).isNull();
        clock.advance(1);
        assertThat(guard.problem()).isEqualTo("the broker has not told its time for 10m");
        answer(0);
        assertThat(guard.problem()).isNull();
    }

    @Test
    void shouldLetAnAnswerStandForTenQuestionsWithASmallLimit() {
        // given
        ClockGuard strict = guard(Limit.of(1000));
        strict.answered(strict.now(), clock.millis());

        // when
        clock.advance(50_000);

        // then
        assertThat(strict.problem()).isNull();
        clock.advance(1);
        assertThat(strict.problem()).isEqualTo("the broker has not told its time for 50s");
    }

    @Test
    void shouldNeverStopWithoutALimitAndStillTellTheDifference() {
        // given
        ClockGuard unlimited = guard(Limit.NONE);
        assertThat(unlimited.problem()).isNull();

        // when
        unlimited.answered(unlimited.now(), T0 - 86_400_000);

        // then
        assertThat(unlimited.problem()).isNull();
        assertThat(unlimited.differenceMs()).hasValue(86_400_000);
    }

    @ParameterizedTest
    @CsvSource({"599999, 0", "600000, 0", "600001, 600001", "86400000, 86400000"})
    void shouldGoByTheBrokersTimeWhereTheClockCannotBeTrusted(long differenceMs, long correctionMs) {
        // when: the clock is ahead
        answer(-differenceMs);

        // then
        assertThat(guard.trusted(clock.millis())).isEqualTo(clock.millis() - correctionMs);

        // when: the clock is behind; an answer takes part of a millisecond at least, which counts in favour of the
        // clock
        answer(differenceMs + 1);

        // then
        assertThat(guard.trusted(clock.millis())).isEqualTo(clock.millis() + correctionMs);
    }

    @Test
    void shouldTakeBackAStepBeforeTheBrokerIsAskedAgain() {
        // given
        answer(0);
        long before = clock.millis();

        // when
        long stepped = before - 86_400_000;

        // then
        assertThat(guard.trusted(stepped)).isEqualTo(before);
    }

    @Test
    void shouldTakeTheClockAsItIsWithoutALimitAndBeforeTheFirstAnswer() {
        // given
        ClockGuard unlimited = guard(Limit.NONE);
        unlimited.answered(unlimited.now(), T0 - 86_400_000);

        // then
        assertThat(unlimited.trusted(T0)).isEqualTo(T0);
        assertThat(guard.trusted(T0)).isEqualTo(T0);
    }

    private ClockGuard guard(Limit limit) {
        return new ClockGuard(limit, Duration.ofSeconds(5), clock, clock::nanoTime);
    }

    /** Lets the broker answer at once, with a time that differs from ours by the offset. */
    private void answer(long brokerOffsetMs) {
        guard.answered(guard.now(), clock.millis() + brokerOffsetMs);
    }
}
