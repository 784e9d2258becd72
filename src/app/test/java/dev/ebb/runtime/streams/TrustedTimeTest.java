package dev.ebb.runtime.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.policy.Limit;
import dev.ebb.runtime.watch.ClockGuard;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.Supplier;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-7")
class TrustedTimeTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long MINUTE = 60_000;

    private long machineMs = T0;
    private long nanos;
    private final Clock clock = new Clock() {
        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(machineMs);
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    };
    private final ClockGuard guard = new ClockGuard(Limit.of(10 * MINUTE), Duration.ofSeconds(10), clock, () -> nanos);
    private final TrustedTime time = new TrustedTime(guard, new Machine());

    @ParameterizedTest
    @ValueSource(longs = {-120 * MINUTE, -11 * MINUTE, 11 * MINUTE, 120 * MINUTE})
    void shouldGoOnWhereTheClockOfTheMachineIsSet(long stepMs) {
        // given
        guard.answered(guard.now(), T0);

        // when
        machineMs += stepMs;
        pass(1000);

        // then: the time before the broker is asked again, and after it, when the guard may reckon one millisecond less
        assertThat(time.milliseconds()).isEqualTo(T0 + 1000);
        guard.answered(guard.now(), T0 + 1000);
        pass(1000);
        assertThat(time.milliseconds()).isBetween(T0 + 1999, T0 + 2000);
        assertThat(guard.trusted(time.milliseconds())).isBetween(T0 + 1999, T0 + 2000);

        // when
        machineMs -= stepMs;

        // then
        assertThat(time.milliseconds()).isBetween(T0 + 1999, T0 + 2000);
    }

    @ParameterizedTest
    @ValueSource(longs = {-10 * MINUTE, -9 * MINUTE, -1})
    void shouldGoOnMoreSlowlyWhereTheClockOfTheMachineIsPutBackWithinTheLimit(long stepMs) {
        // given
        guard.answered(guard.now(), T0);
        assertThat(time.milliseconds()).isEqualTo(T0);

        // when
        machineMs += stepMs;

        // then
        assertThat(time.milliseconds()).isEqualTo(T0);
        pass(100 * MINUTE);
        assertThat(time.milliseconds()).isEqualTo(T0 + Math.max(90 * MINUTE, 100 * MINUTE + stepMs));
        pass(MINUTE);
        assertThat(time.milliseconds()).isEqualTo(machineMs);
    }

    /** A clock that runs too fast or too slow is trusted up to the limit and then no more. */
    @ParameterizedTest
    @ValueSource(longs = {-1, 1})
    void shouldNotRunBackWhenADriftingClockCrossesTheLimit(long driftPerSecondMs) {
        // given: the difference is a second short of the limit
        machineMs += driftPerSecondMs * (10 * MINUTE - 1000);
        guard.answered(guard.now(), T0);
        long last = time.milliseconds();

        // when
        for (int i = 0; i < 2000; i++) {
            machineMs += driftPerSecondMs;
            pass(1000);
            long now = time.milliseconds();

            // then
            assertThat(now - last).isGreaterThanOrEqualTo(900);
            last = now;
        }
        assertThat(guard.problem()).contains("10m");
    }

    @Test
    void shouldAdvanceHoweverOftenItIsAsked() {
        // given
        guard.answered(guard.now(), T0);
        assertThat(time.milliseconds()).isEqualTo(T0);
        machineMs -= 9 * MINUTE;

        // when: less than a millisecond passes between two questions
        for (int i = 0; i < 100_000; i++) {
            nanos += 10_000;
            time.milliseconds();
        }

        // then
        assertThat(time.milliseconds()).isEqualTo(T0 + 900);
    }

    @Test
    void shouldTakeTheFirstTimeOfTheBrokerWithoutGoingBack() {
        // given: nothing is known of the broker yet, and the clock is an hour ahead
        machineMs += 60 * MINUTE;
        assertThat(time.milliseconds()).isEqualTo(T0 + 60 * MINUTE);

        // when
        guard.answered(guard.now(), T0);

        // then
        pass(1000);
        assertThat(time.milliseconds()).isEqualTo(T0 + 60 * MINUTE + 900);
        assertThat(guard.trusted(time.milliseconds())).isEqualTo(T0 + 1000);
    }

    @Test
    void shouldBeThatOfTheMachineWhereThatIsNearEnough() {
        // given
        guard.answered(guard.now(), T0);

        // when
        machineMs += 9 * MINUTE;

        // then
        assertThat(time.milliseconds()).isEqualTo(T0 + 9 * MINUTE);
    }

    @Test
    void shouldWaitByItsOwnTime() throws InterruptedException {
        // given
        guard.answered(guard.now(), T0);
        machineMs += 120 * MINUTE;

        // then
        time.waitObject(new Object(), () -> true, T0 - 1);
        assertThatThrownBy(() -> time.waitObject(new Object(), () -> false, T0)).isInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> time.waitObject(
                        new Object(),
                        () -> {
                            pass(1);
                            return false;
                        },
                        T0 + 3))
                .isInstanceOf(TimeoutException.class);
    }

    private void pass(long ms) {
        machineMs += ms;
        nanos += Duration.ofMillis(ms).toNanos();
    }

    private final class Machine implements Time {

        @Override
        public long milliseconds() {
            return machineMs;
        }

        @Override
        public long nanoseconds() {
            return nanos;
        }

        @Override
        public void sleep(long ms) {
            pass(ms);
        }

        @Override
        public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs) {
            throw new UnsupportedOperationException("it waits by its own time");
        }
    }
}
