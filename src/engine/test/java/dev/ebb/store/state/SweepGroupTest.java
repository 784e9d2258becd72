package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.model.Policies;
import dev.ebb.store.StoreFixture;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The clock of a group, and what makes streams come to it and leave it. */
@Tag("O-1")
class SweepGroupTest {

    private static final long HOUR = 3_600_000;
    private static final RetentionPolicy STRICT = RetentionPolicy.of(Scope.ALL)
            .maxAge(Limit.of(1000))
            .maxCount(Limit.of(1))
            .build();
    private static final Hold HOLD = new Hold("c", Scope.ALL, "", "", 1);

    private final StoreFixture fixture = new StoreFixture();

    @ParameterizedTest
    @CsvSource({
        "1000, 949, false",
        "1000, 950, true",
        "1000, 951, true",
        "7, 3, false",
        "7, 4, true",
        "7, 5, true",
        "1, 0, false",
        "1, 1, true"
    })
    void shouldForgiveAnEarlyPunctuationAsItsIntervalAllows(long intervalMs, long afterMs, boolean isDue) {
        // given
        SweepGroup group = group(intervalMs, SweepWindow.ALWAYS);

        // when
        group.swept(T0);

        // then
        assertThat(group.isDue(T0 + afterMs)).isEqualTo(isDue);
    }

    @Test
    @Tag("B-13")
    void shouldKeepItsPaceAfterASweepThatBeginsLate() {
        // given
        SweepGroup group = group(1000, SweepWindow.ALWAYS);
        group.swept(T0 + 137);

        // when
        group.swept(T0 + 1237);

        // then
        assertThat(group.nextSweepMs(T0)).isEqualTo(T0 + 2137);
    }

    @Test
    void shouldWaitForItsWindow() {
        // given
        long midnight = T0 - T0 % (24 * HOUR);
        SweepGroup group = group(1000, SweepWindow.parse("08:00-09:00 UTC"));

        // then
        assertThat(group.nextSweepMs(midnight)).isEqualTo(midnight + 8 * HOUR);
        assertThat(group.isOpen(midnight + 8 * HOUR - 1)).isFalse();
        assertThat(group.isOpen(midnight + 8 * HOUR)).isTrue();
        assertThat(group.isOpen(midnight + 9 * HOUR)).isFalse();
        assertThat(group.isDue(midnight)).isFalse();
        group.swept(midnight + 8 * HOUR);
        assertThat(group.nextSweepMs(midnight + 8 * HOUR)).isEqualTo(midnight + 8 * HOUR + 1000);
        assertThat(group.nextSweepMs(midnight + 9 * HOUR)).isEqualTo(midnight + 32 * HOUR);
    }

    @Test
    @Tag("M-16")
    void shouldReportOnceAMinuteAndInItsWindowAlone() {
        // given
        long midnight = T0 - T0 % (24 * HOUR);
        SweepGroup group = group(1000, SweepWindow.parse("00:00-01:00 UTC"));
        fixture.policies(STRICT.toBuilder().mode(PolicyMode.WARN).build());
        fixture.event(event("s", "a"));
        assertThat(group.isWarnDue(midnight)).as("nothing to report").isFalse();

        // when
        group.warn(true);

        // then
        assertThat(group.isWarnDue(midnight)).isTrue();
        group.warnedAt(midnight, 0);
        assertThat(group.isWarnDue(midnight + 999)).isFalse();
        assertThat(group.isWarnDue(midnight + 1000)).isTrue();
        assertThat(group.isWarnDue(midnight + HOUR)).as("closed").isFalse();
    }

    /** A count of what is only reported takes a twentieth of the time at the most. */
    @ParameterizedTest
    @Tag("M-16")
    @CsvSource({"49, 1000", "50, 1000", "51, 1020", "3000, 60000"})
    void shouldWarnLessOftenWhereACountTakesLong(long tookMs, long pauseMs) {
        // given
        long midnight = T0 - T0 % (24 * HOUR);
        SweepGroup group = group(1000, SweepWindow.parse("00:00-01:00 UTC"));
        fixture.policies(STRICT.toBuilder().mode(PolicyMode.WARN).build());
        fixture.event(event("s", "a"));
        group.warn(true);

        // when
        group.warnedAt(midnight, tookMs);

        // then
        assertThat(group.isWarnDue(midnight + pauseMs - 1)).isFalse();
        assertThat(group.isWarnDue(midnight + pauseMs)).isTrue();
    }

    @Test
    @Tag("B-5")
    void shouldKnowWhenItHasWorkNext() {
        // given
        fixture.policies(STRICT);
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.groups().iterator().next();

        // then
        assertThat(group.nextWorkMs()).isEqualTo(T0 + 1000);
        fixture.event(event("s", "b"));
        assertThat(group.nextWorkMs()).as("over its cap").isLessThanOrEqualTo(T0);
        group.takeOverCap(T0);
        assertThat(group.nextWorkMs()).isEqualTo(T0 + 1000);
    }

    @Test
    @Tag("M-16")
    void shouldTakeAStreamOutOfItsQueuesWhenItsPolicyOnlyWarns() {
        // given
        fixture.policies(STRICT);
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        SweepGroup group = fixture.schedule.groups().iterator().next();

        // when
        fixture.policies(STRICT.toBuilder().mode(PolicyMode.WARN).build());

        // then
        assertThat(group.nextDue(T0 + HOUR)).isNull();
        assertThat(group.hasWork(T0 + HOUR)).isFalse();
        assertThat(fixture.store.warned().next()).hasToString("s");
        assertThat(group.isAnyWarned()).isTrue();

        // when
        fixture.policies(STRICT);

        // then
        assertThat(group.nextDue(T0 + HOUR)).hasToString("s");
        assertThat(fixture.store.warned().hasNext()).isFalse();
    }

    @Test
    @Tag("M-18")
    void shouldCountTheEventsOfStreamsThatAHoldKeepsFromIt() {
        // given
        fixture.policies(STRICT);
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        fixture.event(event("t", "c"));
        assertThat(fixture.schedule.mayBeSwept(stream("s"))).isTrue();

        // when
        fixture.policies(Policies.setOf(List.of(STRICT), List.of(HOLD)));

        // then
        assertThat(fixture.store.heldEvents()).isEqualTo(3);
        assertThat(fixture.schedule.mayBeSwept(stream("s"))).isFalse();
        assertThat(fixture.schedule.backlog(T0 + HOUR, 100)).isZero();

        // when
        fixture.remove("t", "c");

        // then
        assertThat(fixture.store.heldEvents()).as("t is empty").isEqualTo(2);

        // when
        fixture.policies(STRICT);

        // then
        assertThat(fixture.store.heldEvents()).isZero();
        assertThat(fixture.schedule.groups().iterator().next().nextDue(T0 + HOUR))
                .hasToString("s");
    }

    @Test
    void shouldSweepNothingThatMovesOrWaits() {
        // given
        SweepSchedule waiting = new SweepSchedule(OptionalLong.empty(), stream -> true);
        fixture.policies(STRICT);
        fixture.event(event("s", "a"));

        // when
        fixture.begin(STRICT.toBuilder().anchor(Anchor.OCCURRED).build());

        // then
        assertThat(stream("s").isMoving()).isTrue();
        assertThat(fixture.schedule.mayBeSwept(stream("s"))).isFalse();
        fixture.moveAll();
        assertThat(fixture.schedule.mayBeSwept(stream("s"))).isTrue();
        assertThat(waiting.mayBeSwept(stream("s"))).isFalse();
    }

    @Test
    void shouldLookAtAllOfAStreamThatComesBack() {
        // given
        fixture.policies(STRICT);
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.groups().iterator().next();

        // when
        fixture.schedule.forget(stream("s"));

        // then
        assertThat(group.nextDue(T0 + HOUR)).isNull();
        fixture.schedule.touch(stream("s"));
        assertThat(group.nextDue(T0 + HOUR)).hasToString("s");
    }

    private StreamState stream(String name) {
        return Objects.requireNonNull(fixture.store.stream(new StreamName(name)));
    }

    private static SweepGroup group(long intervalMs, SweepWindow window) {
        return new SweepGroup(new SweepGroup.Rhythm(intervalMs, window));
    }
}
