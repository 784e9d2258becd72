package dev.ebb.store.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import dev.ebb.store.layout.Position;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The cut is that of a sorted list, found in few passes and without one. */
@Tag("A-8")
class CutSearchTest {

    private static final int MOST_PASSES = 13;

    private record Shown(Position position, long weight) {}

    /** Anchors, by the place in the order of arrival. */
    private enum Anchors {
        RISING(seq -> 1_800_000_000_000L + seq),
        FALLING(seq -> 1_800_000_000_000L - seq),
        EQUAL(seq -> 1_800_000_000_000L),
        ZERO(seq -> 0),
        IN_AND_OUT(seq -> 1_800_000_000_000L + (seq % 2 == 0 ? seq * seq : -seq * seq)),
        FAR_APART(seq -> seq == 0 ? Long.MAX_VALUE : seq % 3 == 0 ? Long.MAX_VALUE - seq : seq),
        DOUBLING(seq -> 1L << (seq % 63)),
        CLOSE_AT_BOTH_ENDS(seq -> seq % 2 == 0 ? seq : (1L << 62) + seq);

        private final LongUnaryOperator of;

        Anchors(LongUnaryOperator of) {
            this.of = of;
        }
    }

    @ParameterizedTest
    @EnumSource(Anchors.class)
    void shouldFindTheCutHoweverTheAnchorsLie(Anchors anchors) {
        List<Shown> shown = LongStream.range(0, 40_000)
                .mapToObj(seq -> new Shown(new Position(3, anchors.of.applyAsLong(seq), seq), 1 + seq % 7))
                .toList();
        long total = shown.stream().mapToLong(Shown::weight).sum();
        for (long amount : new long[] {1, 2, total / 3, total - 1, total, total + 1}) {
            assertThat(find(shown, amount, 16)).as("amount %d", amount).isEqualTo(naive(shown, amount));
        }
    }

    @Test
    void shouldFindTheCutOfAnyEvents() {
        SeededCases.forAll(300, random -> {
            List<Shown> shown = new ArrayList<>();
            long spread = 1L << random.nextInt(62);
            for (int seq = 0; seq < 1 + random.nextInt(300); seq++) {
                long anchorMs = random.nextLong() & (spread - 1);
                shown.add(new Shown(new Position(3, anchorMs, seq), 1 + random.nextInt(1000)));
            }
            Collections.shuffle(shown, random);
            long total = shown.stream().mapToLong(Shown::weight).sum();
            long amount = 1 + (random.nextLong() >>> 1) % total;
            assertThat(find(shown, amount, 1 + random.nextInt(20))).isEqualTo(naive(shown, amount));
        });
    }

    @Test
    void shouldComeToAnEndWhateverComesAndGoesBetweenPasses() {
        SeededCases.forAll(300, random -> {
            CutSearch search = new CutSearch(3, 1);
            long amount = 1 + random.nextInt(300);
            int passes = 0;
            do {
                assertThat(passes++).isLessThan(MOST_PASSES);
                for (int seq = 0; seq < random.nextInt(200); seq++) {
                    search.show(new Position(3, random.nextInt(1000), seq), 1);
                }
            } while (!search.endPass(amount));
            assertThat(search.cut().execution()).isEqualTo(3);
        });
    }

    /** More positions than the window are not remembered, so it takes another pass to sort those near the cut. */
    @ParameterizedTest
    @CsvSource({"15, true", "16, true", "17, false"})
    void shouldKnowTheCutAfterOnePassIfTheWindowHoldsAllPositions(int shown, boolean isKnown) {
        // given
        CutSearch search = new CutSearch(3, 16);

        // when
        for (int seq = 0; seq < shown; seq++) {
            search.show(new Position(3, 1000 + seq, seq), 1);
        }

        // then
        assertThat(search.endPass(5)).isEqualTo(isKnown);
    }

    private static Position find(List<Shown> shown, long amount, int window) {
        CutSearch search = new CutSearch(3, window);
        int passes = 0;
        do {
            assertThat(passes++).as("passes").isLessThan(MOST_PASSES);
            shown.forEach(each -> search.show(each.position(), each.weight()));
        } while (!search.endPass(amount));
        return search.cut();
    }

    /** Behind as many of the first as reach the amount. */
    private static Position naive(List<Shown> shown, long amount) {
        List<Shown> sorted = new ArrayList<>(shown);
        sorted.sort(Comparator.comparing(Shown::position));
        long sum = 0;
        int count = 0;
        while (count < sorted.size() && sum < amount) {
            sum += sorted.get(count++).weight();
        }
        return sorted.get(count - 1).position().next();
    }
}
