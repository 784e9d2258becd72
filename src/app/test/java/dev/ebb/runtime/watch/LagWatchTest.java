package dev.ebb.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.GroupAuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** B-21: an input that is taken in is looked at seldom, unless its lag is asked for. */
class LagWatchTest {

    private static final long MS = Duration.ofMillis(1).toNanos();

    private final Deque<Long> lags = new ArrayDeque<>();
    private long nowNanos = 77;
    private @Nullable KafkaException failure;
    private int released;
    private int nudges;
    private final Presence broker = new Presence("Kafka", "broker:9092", () -> nowNanos);
    private final LagWatch watch = new LagWatch(this::next, broker, () -> nowNanos, () -> released++);

    LagWatchTest() {
        watch.whenAsked(() -> nudges++);
    }

    /** A negative lag stands for a broker that does not answer, unless another failure is set. */
    private long next() {
        long lag = lags.remove();
        if (lag < 0 && failure != null) {
            throw failure;
        }
        if (lag < 0) {
            throw new TimeoutException("no broker");
        }
        return lag;
    }

    private void runAfter(long ms) {
        nowNanos += ms * MS;
        watch.run();
    }

    @Test
    void shouldMeasureZeroAgainAfterFiveSeconds() {
        // given
        lags.add(0L);
        lags.add(9L);
        watch.run();

        // when: below
        runAfter(4_999);

        // then
        assertThat(lags).hasSize(1);

        // when: at
        runAfter(1);

        // then
        assertThat(lags).isEmpty();
        assertThat(watch.measured()).hasValue(9);
    }

    @Test
    void shouldMeasureAtOnceWhatIsAskedForAfterASecond() {
        // given
        lags.add(0L);
        lags.add(9L);
        watch.run();

        // when: below
        nowNanos += 999 * MS;
        assertThat(watch.measured()).hasValue(0);

        // then
        assertThat(nudges).isZero();

        // when: at
        nowNanos += MS;
        assertThat(watch.measured()).hasValue(0);

        // then
        assertThat(nudges).isEqualTo(1);

        // when: asked again before it was measured
        assertThat(watch.measured()).hasValue(0);

        // then: once is enough
        assertThat(nudges).isEqualTo(1);

        // when
        watch.run();

        // then
        assertThat(watch.measured()).hasValue(9);
    }

    @Test
    void shouldNotKnowALagThatCouldNotBeMeasured() {
        // given
        lags.add(0L);
        lags.add(-1L);
        lags.add(2L);
        watch.run();

        // when
        runAfter(5_000);

        // then
        assertThat(watch.measured()).isEqualTo(OptionalLong.empty());

        // when: it is not waited for
        runAfter(1);

        // then
        assertThat(watch.measured()).hasValue(2);
    }

    @Test
    @Tag("A-17")
    void shouldAnswerAPersonFromTheEndsOfTheTopics() {
        // given
        lags.add(0L);
        lags.add(3000L);
        watch.run();

        // when: records were sent just after that
        nowNanos++;

        // then
        assertThat(watch.measureNow()).hasValue(3000);
        assertThat(watch.measured()).hasValue(3000);
    }

    @Test
    @Tag("A-17")
    void shouldNotHaveAPersonWaitForABrokerThatIsAway() {
        // given
        lags.add(-1L);
        lags.add(-1L);
        runAfter(0);
        runAfter(1000);

        // when
        nowNanos++;

        // then
        assertThat(watch.measureNow()).isEmpty();
        assertThat(lags).isEmpty();
    }

    @Test
    void shouldWaitForAMeasurementThatBeginsAfterTheQuestion() {
        // given
        lags.add(0L);
        lags.add(3L);
        watch.run();
        watch.whenAsked(() -> new Thread(watch).start());

        // when: records were sent just after that
        nowNanos++;

        // then
        assertThat(watch.measureWithin(Duration.ofMinutes(1))).hasValue(3);
    }

    @Test
    void shouldAnswerFromTheLastMeasurementWhereABrokerTakesTooLong() {
        // given
        lags.add(7L);
        watch.run();
        nowNanos++;

        // then
        assertThat(watch.measureWithin(Duration.ofMillis(1))).hasValue(7);
        assertThat(nudges).isEqualTo(1);

        // when: the thread that measures has not come to it yet
        OptionalLong again = watch.measureWithin(Duration.ofMillis(1));

        // then: once is enough
        assertThat(again).hasValue(7);
        assertThat(nudges).isEqualTo(1);
    }

    @Test
    void shouldReleaseWhatItHas() {
        watch.close();

        assertThat(released).isEqualTo(1);
    }

    @Test
    @Tag("O-28")
    void shouldTellOfABrokerThatIsAwayWithItsAddressUntilItIsBack() {
        // when
        lags.add(-1L);
        lags.add(-1L);
        runAfter(0);
        runAfter(1000);
        String away = watch.problem();
        lags.add(3L);
        runAfter(5000);

        // then
        assertThat(away).startsWith("Kafka at broker:9092 is away: ");
        assertThat(watch.problem()).isNull();
    }

    @Test
    @Tag("O-28")
    void shouldNotCallABrokerAwayThatRefuses() {
        // when
        failure = new GroupAuthorizationException("ebb");
        lags.add(-1L);
        lags.add(-1L);
        runAfter(0);
        runAfter(1000);

        // then
        assertThat(watch.problem())
                .startsWith("Kafka at broker:9092 refuses what is asked: ")
                .doesNotContain("away");
    }

    @Test
    @Tag("O-28")
    void shouldSayNothingOfTheBrokerWhenTheInstanceStops() {
        // given
        failure = new InterruptException("the test stops it");
        lags.add(-1L);
        lags.add(-1L);

        // when
        assertThatThrownBy(watch::run).isSameAs(failure);
        assertThatThrownBy(watch::run).isSameAs(failure);
        boolean isStillInterrupted = Thread.interrupted();

        // then
        assertThat(isStillInterrupted).isTrue();
        assertThat(watch.problem()).isNull();
    }
}
