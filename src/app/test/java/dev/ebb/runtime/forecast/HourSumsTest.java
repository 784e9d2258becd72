package dev.ebb.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("C-3")
class HourSumsTest {

    private static final long MINUTE = 60_000;

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
        assertThat(sums.stepMs()).isEqualTo(MINUTE);

        // when
        sums.add(4 * MINUTE, "a", "TTL", 1, 10);

        // then
        assertThat(sums.stepMs()).isEqualTo(10 * MINUTE);
        assertThat(tell(sums, 0, 10 * MINUTE)).containsExactly("0 a TTL 5");
        assertThat(sums.isFull()).isFalse();
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
        assertThat(sums.stepMs()).isEqualTo(24 * 60 * MINUTE);
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
