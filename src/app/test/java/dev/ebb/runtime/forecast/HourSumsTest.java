package dev.ebb.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("C-3")
class HourSumsTest {

    private static final long MINUTE = 60_000;
    private static final long DAY = 24 * 60 * MINUTE;

    private final List<String> told = new ArrayList<>();

    @Test
    void shouldAddUpByMinuteNamespaceAndCause() {
        // given
        HourSums sums = new HourSums(10);
        sums.add(MINUTE, "a", "TTL", 1, 10);
        sums.add(2 * MINUTE - 1, "a", "TTL", 2, 20);
        sums.add(2 * MINUTE, "a", "TTL", 4, 40);
        sums.add(2 * MINUTE, "b", "MAX_AGE", 8, 80);

        // then
        assertThat(tell(sums, 0, 9 * MINUTE)).containsExactlyInAnyOrder("1 a TTL 3", "2 a TTL 4", "2 b MAX_AGE 8");
        assertThat(tell(sums, MINUTE, 2 * MINUTE)).containsExactly("1 a TTL 3");
        assertThat(tell(sums, MINUTE + 1, 2 * MINUTE)).isEmpty();
    }

    /** A limit of 4 sums: 4 stay as they are, a fifth makes the stretches longer. */
    @Test
    void shouldMakeStretchesLongerWhenThereAreTooMany() {
        // given
        HourSums sums = new HourSums(4);
        for (int i = 0; i < 4; i++) {
            sums.add(i * MINUTE, "a", "TTL", 1, 10);
        }
        assertThat(sums.stepMs(0)).isEqualTo(MINUTE);

        // when
        sums.add(4 * MINUTE, "a", "TTL", 1, 10);

        // then
        assertThat(sums.stepMs(0)).isEqualTo(10 * MINUTE);
        assertThat(tell(sums, 0, 10 * MINUTE)).containsExactly("0 a TTL 5");
        assertThat(sums.isFull()).isFalse();
    }

    /** The last hours are asked for most, so they keep their minutes while the oldest become days. */
    @Test
    void shouldMakeTheOldestStretchesLongerFirst() {
        // given: an audit that is read from its end on
        HourSums sums = new HourSums(300);
        long last = 10_000;
        for (long minute = last; minute >= 0; minute--) {
            sums.add(minute * MINUTE, "a", "TTL", 1, 10);
        }

        // then
        assertThat(sums.stepMs(last * MINUTE)).isEqualTo(MINUTE);
        assertThat(sums.stepMs(0)).isGreaterThan(10 * MINUTE);
        assertThat(tell(sums, (last - 1) * MINUTE, (last + 1) * MINUTE))
                .containsExactly(last - 1 + " a TTL 1", last + " a TTL 1");
        assertThat(told(sums, 0, (last + 1) * MINUTE)).isEqualTo(last + 1);
        assertThat(sums.isFull()).isFalse();
    }

    /** Sums stay right whatever comes when: drawn at random, with a seed that is told. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldLoseNothingAndSayWhichBucketsArePrecise(long seed) {
        // given
        Random random = new Random(seed);
        HourSums sums = new HourSums(50 + random.nextInt(200));
        TreeMap<Long, Long> all = new TreeMap<>();
        for (int i = 0; i < 5000; i++) {
            long atMs = 40 * DAY + random.nextInt(30) * DAY + random.nextInt((int) DAY);
            sums.add(atMs, "n" + random.nextInt(3), random.nextBoolean() ? "TTL" : "MAX_AGE", 1, 10);
            all.merge(atMs, 1L, Long::sum);
        }

        for (long step : new long[] {MINUTE, 7 * MINUTE, 60 * MINUTE, DAY, DAY + 60 * MINUTE, 10 * DAY}) {
            List<Long> bounds = LongStream.iterate(40 * DAY, at -> at <= 71 * DAY, at -> at + step)
                    .boxed()
                    .toList();

            // when
            Long precise = sums.preciseFrom(bounds);

            // then
            for (int i = 0; i + 1 < bounds.size(); i++) {
                long from = bounds.get(i);
                long to = bounds.get(i + 1);
                if (precise == null || from >= precise) {
                    assertThat(told(sums, from, to))
                            .as("seed %d, step %d, bucket from %d", seed, step, from)
                            .isEqualTo(all.subMap(from, to).values().stream()
                                    .mapToLong(Long::longValue)
                                    .sum());
                }
            }
        }
        assertThat(told(sums, 40 * DAY, 71 * DAY)).as("seed %d", seed).isEqualTo(5000);
        assertThat(sums.preciseFrom(List.of(40 * DAY, 50 * DAY))).isNull();
    }

    /** A stretch of an hour: bounds before, at, and behind its beginning. */
    @ParameterizedTest
    @CsvSource({"59,120", "60,", "61,120"})
    void shouldSayThatABoundLiesWithinAStretch(long bound, Long precise) {
        // given
        HourSums sums = new HourSums(8);
        for (int i = 0; i < 24; i++) {
            sums.add(i * 10 * MINUTE, "a", "TTL", 1, 10);
        }
        assertThat(sums.stepMs(0)).isEqualTo(60 * MINUTE);
        assertThat(sums.stepMs(61 * MINUTE)).isEqualTo(60 * MINUTE);

        // then
        assertThat(sums.preciseFrom(List.of(0L, bound * MINUTE, 120 * MINUTE)))
                .isEqualTo(precise == null ? null : precise * MINUTE);
    }

    @Test
    void shouldSayWhenThereIsNoRoom() {
        // given
        HourSums sums = new HourSums(2);
        sums.add(0, "a", "TTL", 1, 10);
        sums.add(0, "b", "TTL", 1, 10);
        assertThat(sums.isFull()).isFalse();

        // when
        sums.add(0, "c", "TTL", 1, 10);

        // then
        assertThat(sums.isFull()).isTrue();
        assertThat(sums.stepMs(0)).isEqualTo(DAY);
    }

    private static long told(HourSums sums, long fromMs, long toMs) {
        long[] events = {0};
        sums.tell(fromMs, toMs, (atMs, namespace, cause, tally) -> events[0] += tally.events());
        return events[0];
    }

    private List<String> tell(HourSums sums, long fromMs, long toMs) {
        told.clear();
        sums.tell(
                fromMs,
                toMs,
                (atMs, namespace, cause, tally) ->
                        told.add(atMs / MINUTE + " " + namespace + " " + cause + " " + tally.events()));
        return told;
    }
}
