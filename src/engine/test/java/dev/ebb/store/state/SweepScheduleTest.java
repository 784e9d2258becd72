package dev.ebb.store.state;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.store.StoreFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.store.StoreFixture;
import dev.ebb.store.StoreProbe;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams that are swept, and the times of their sweeps. */
@Tag("O-1")
class SweepScheduleTest {

    private final StoreFixture fixture = new StoreFixture();

    @Test
    void shouldGroupStreamsByTheirInterval() {
        // given
        fixture.policies(
                RetentionPolicy.of(Scope.namespace("slow")).intervalMs(60_000L).build());
        fixture.event(event("slow/1", "a"));
        fixture.event(event("quick/1", "a"));
        fixture.event(event("quick/2", "a"));

        // when both have been swept
        fixture.schedule.due(T0).forEach(group -> group.swept(T0));

        // then
        assertThat(fixture.schedule.groups()).hasSize(2);
        assertThat(fixture.schedule.due(T0 + 900)).isEmpty();
        assertThat(fixture.schedule.due(T0 + 1000)).hasSize(1);
        assertThat(fixture.schedule.due(T0 + 60_000)).hasSize(2);
        assertThat(fixture.schedule.nextSweepMs(fixture.nowMs)).isEqualTo(T0 + 1000);
    }

    @Test
    @Tag("B-5")
    void shouldPassOverTheGroupsThatAreDueAndNoOthers() {
        // given
        fixture.policies(
                RetentionPolicy.of(Scope.namespace("slow")).intervalMs(60_000L).build());
        fixture.event(event("slow/1", "a"));
        fixture.event(event("quick/1", "a"));
        fixture.schedule.due(T0).forEach(group -> group.swept(T0));

        // then
        assertThat(fixture.schedule.passOver(T0 + 949)).isFalse();
        assertThat(fixture.schedule.passOver(T0 + 1000)).isTrue();
        assertThat(fixture.schedule.due(T0 + 1949)).isEmpty();
        assertThat(fixture.schedule.due(T0 + 60_000)).hasSize(2);
    }

    @Test
    void shouldSweepANewGroupAtOnce() {
        fixture.event(event("s", "a"));

        assertThat(fixture.schedule.due(0)).hasSize(1);
    }

    @Test
    void shouldForgiveAPunctuationThatComesALittleEarly() {
        // given
        fixture.event(event("s", "a"));
        fixture.schedule.due(T0).forEach(group -> group.swept(T0));

        // then
        assertThat(fixture.schedule.due(T0 + 949)).isEmpty();
        assertThat(fixture.schedule.due(T0 + 950)).hasSize(1);
    }

    @Test
    @Tag("B-13")
    void shouldNotFallBehindByASweepThatBeginsLate() {
        // given
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.due(T0).get(0);
        group.swept(T0);

        // when
        group.swept(T0 + 1200);

        // then
        assertThat(fixture.schedule.due(T0 + 1949)).isEmpty();
        assertThat(fixture.schedule.due(T0 + 1950)).hasSize(1);
        group.swept(T0 + 4700);
        assertThat(fixture.schedule.nextSweepMs(T0 + 4700)).isEqualTo(T0 + 5000);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void shouldNeverSweepAgainWhereNoNumberSaysWhenTheIntervalEnds(long beyond) {
        // given: it would end just before the last millisecond that there is, at it, and after it
        long interval = Long.MAX_VALUE - T0 - 1 + beyond;
        fixture.policies(RetentionPolicy.of(Scope.ALL).intervalMs(interval).build());
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.due(T0).get(0);

        // when
        group.swept(T0);

        // then
        assertThat(fixture.schedule.due(T0 + 1)).isEmpty();
        assertThat(fixture.schedule.nextSweepMs(T0 + 1)).isEqualTo(beyond == 0 ? Long.MAX_VALUE - 1 : Long.MAX_VALUE);
        assertThat(fixture.schedule.passOver(T0 + 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE - 1, Long.MAX_VALUE})
    void shouldNotWarnAgainEither(long interval) {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .mode(PolicyMode.WARN)
                .intervalMs(interval)
                .build());
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.due(T0).get(0);
        assertThat(group.isWarnDue(T0)).isTrue();

        // when
        group.warnedAt(T0, 0);

        // then
        assertThat(group.isWarnDue(T0 + 1)).isFalse();
    }

    @Test
    @Tag("O-7")
    @Tag("M-16")
    void shouldWarnSoonWhereTheClockWasPutBackByMoreThanTheInterval() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).mode(PolicyMode.WARN).build());
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.groups().iterator().next();

        // when
        group.warnedAt(T0, 0);

        // then
        assertThat(group.isWarnDue(T0 + 999)).isFalse();
        assertThat(group.isWarnDue(T0 + 1000)).isTrue();
        assertThat(group.isWarnDue(T0)).isFalse();
        assertThat(group.isWarnDue(T0 - 1)).isTrue();
    }

    @Test
    @Tag("O-7")
    void shouldSweepAtOnceWhereTheClockWasPutBackByMoreThanAnInterval() {
        // given
        fixture.event(event("s", "a"));
        fixture.schedule.due(T0).forEach(group -> group.swept(T0));

        // then
        assertThat(fixture.schedule.due(T0 - 1)).hasSize(1);
        assertThat(fixture.schedule.due(T0)).isEmpty();
        assertThat(fixture.schedule.due(T0 + 1)).isEmpty();
    }

    @Test
    @Tag("I-6")
    void shouldNotLookAtStreamsThatAreGuardedAgainstTheirCap() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(1))
                .set(PolicyField.MIN_AGE, Limit.of(10_000))
                .build());
        for (int i = 0; i < 2; i++) {
            fixture.nowMs = T0 + i * 1000;
            fixture.event(event("s" + i, "a"));
            fixture.event(event("s" + i, "b"));
        }
        fixture.sweep();
        SweepGroup group = fixture.schedule.groups().iterator().next();

        // then
        assertThat(group.hasWork(T0 + 9_999)).isFalse();
        assertThat(group.takeOverCap(T0 + 9_999)).isEmpty();
        assertThat(group.hasWork(T0 + 10_000)).isTrue();
        assertThat(group.takeOverCap(T0 + 10_000)).hasToString("[s0]");
        assertThat(group.hasWork(T0 + 10_999)).isFalse();
        assertThat(group.hasWork(T0 + 11_000)).isTrue();
        assertThat(group.takeOverCap(T0 + 11_000)).hasToString("[s1]");
    }

    @Test
    @Tag("M-16")
    void shouldKnowWhenAReportOfWhatItWouldDeleteIsDue() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).mode(PolicyMode.WARN).build());
        fixture.event(event("s", "a"));
        SweepGroup group = fixture.schedule.groups().iterator().next();

        // when
        group.warnedAt(T0, 0);

        // then
        assertThat(fixture.schedule.nextWorkMs()).isEqualTo(T0 + 1000);
    }

    @Test
    void shouldLetASettingStandInPlaceOfEveryInterval() {
        // given
        SweepSchedule schedule = new SweepSchedule(OptionalLong.of(5), stream -> false);
        fixture.policies(
                RetentionPolicy.of(Scope.namespace("slow")).intervalMs(60_000L).build());
        fixture.event(event("slow/1", "a"));
        fixture.event(event("quick/1", "a"));

        // when
        StoreProbe.streams(fixture.store).forEach(schedule::touch);
        schedule.due(T0).forEach(group -> group.swept(T0));

        // then
        assertThat(schedule.groups()).hasSize(1);
        assertThat(schedule.nextSweepMs(T0)).isEqualTo(T0 + 5);
    }

    @Test
    void shouldTakeAStreamToAnotherGroupWhenItsIntervalChanges() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxCount(Limit.of(1))
                .intervalMs(7L)
                .build());

        // then
        assertThat(fixture.schedule.backlog(T0, 100)).isEqualTo(1);
        assertThat(fixture.sweep()).hasSize(1);
    }

    @Test
    void shouldForgetACapThatIsNotExceededAnyMore() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(1)).build());
        fixture.event(event("s", "a"));
        fixture.event(event("s", "b"));
        assertThat(fixture.schedule.backlog(T0, 100)).isEqualTo(1);

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(2)).build());

        // then
        assertThat(fixture.schedule.backlog(T0, 100)).isZero();
    }

    @Test
    void shouldLeaveOutWhatMustWait() {
        // given
        SweepSchedule schedule = new SweepSchedule(
                OptionalLong.empty(), stream -> stream.stream().value().equals("waits"));
        fixture.policies(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(1))
                .maxCount(Limit.of(1))
                .build());
        for (String stream : List.of("waits", "goes")) {
            fixture.event(event(stream, "a"));
            fixture.event(event(stream, "b"));
        }

        // when
        StoreProbe.streams(fixture.store).forEach(stream -> {
            stream.changeAll();
            schedule.touch(stream);
        });

        // then
        SweepGroup group = schedule.groups().iterator().next();
        assertThat(group.nextDue(T0 + 100)).hasToString("goes");
        assertThat(StoreProbe.streams(fixture.store).stream()
                        .filter(stream -> !schedule.mayBeSwept(stream))
                        .toList())
                .hasToString("[waits]");
        assertThat(group.takeOverCap(T0)).hasToString("[goes]");
        assertThat(group.takeOverCap(T0)).isEmpty();
    }

    @Test
    void shouldCountTheBacklogUpToALimit() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        for (int i = 0; i < 10; i++) {
            fixture.event(event("s" + i, "a"));
        }

        // then
        assertThat(fixture.schedule.backlog(T0 + 1000, 100)).isZero();
        assertThat(fixture.schedule.backlog(T0 + 1001, 100)).isEqualTo(10);
        assertThat(fixture.schedule.backlog(T0 + 1001, 3)).isEqualTo(3);
    }

    /** The streams that a sweep does not take leave memory again, due as before, and must not keep it going. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("A-17")
    void shouldReadEachWakeUpOnceInASweepHoweverLittleRoomThereIs(boolean isOfTheSweep) {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        for (int i = 0; i < 10; i++) {
            fixture.event(event("s" + i, "a"));
        }
        SweepSchedule schedule = fixture.schedule;
        List<SweepGroup> swept = isOfTheSweep ? schedule.due(T0 + 1001) : List.of();
        Set<String> taken = new HashSet<>();
        int rounds = 0;

        // when
        while (schedule.isAnyToWake(T0 + 1001)) {
            assertThat(rounds++).isLessThan(10);
            List<StreamState> awake = schedule.takeAwake(swept, T0 + 1001);
            awake.forEach(stream -> assertThat(taken.add(stream.toString())).isTrue());
            awake.forEach(schedule::giveBack);
        }

        // then
        assertThat(taken).hasSize(isOfTheSweep ? 10 : 0);
        assertThat(schedule.turnBack(T0 + 1001)).isTrue();
        assertThat(schedule.isAnyToWake(T0 + 1001)).isTrue();
    }

    /** Else each sweep would read every stream whose policy has become a longer one, for ever. */
    @Test
    @Tag("A-17")
    void shouldForgetTheWakeUpsOfStreamsToWhichOnlyAChangeGivesWork() {
        // given
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        for (int i = 0; i < 10; i++) {
            fixture.event(event("s" + i, "a"));
        }
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.NONE).build());
        SweepSchedule schedule = fixture.schedule;

        // when
        List<SweepGroup> swept = schedule.due(T0 + 1001);
        for (int rounds = 0; rounds < 2; rounds++) {
            schedule.turnBack(T0 + 1001);
            while (schedule.isAnyToWake(T0 + 1001)) {
                assertThat(schedule.takeAwake(swept, T0 + 1001)).isEmpty();
            }
        }

        // then
        assertThat(schedule.turnBack(T0 + 1001)).isFalse();

        // when
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(1000)).build());
        fixture.nowMs = T0 + 1001;

        // then
        assertThat(fixture.sweep()).hasSize(10);
    }

    /** Else the first of them that comes into memory would be swept at once, whatever its interval. */
    @Test
    @Tag("A-17")
    void shouldBeginTheIntervalsOfStreamsThatAreNotInMemoryAtAStart() {
        // given
        fixture.policies(
                RetentionPolicy.of(Scope.namespace("hourly"))
                        .intervalMs(3_600_000L)
                        .build(),
                RetentionPolicy.of(Scope.stream("hourly/daily"))
                        .intervalMs(86_400_000L)
                        .build(),
                RetentionPolicy.of(Scope.stream("elsewhere/1")).intervalMs(5L).build());
        for (String stream : List.of("usual/1", "usual/2", "hourly/1", "hourly/daily")) {
            fixture.event(event(stream, "a"));
        }

        // when
        fixture.reopen();

        // then
        assertThat(fixture.schedule.groups()).hasSize(3);
        assertThat(fixture.schedule.due(T0)).hasSize(3);
        assertThat(fixture.schedule.passOver(T0)).isTrue();
        assertThat(fixture.schedule.due(T0 + 3_599_000)).hasSize(1);
    }
}
