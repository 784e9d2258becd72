package dev.ebb.store.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-17")
class SidCountsTest {

    private static final int STEPS = 20_000;

    private final SidCounts counts = new SidCounts();

    @Test
    void shouldFindTheNextStreamAcrossChunks() {
        counts.add(255, 1);
        counts.add(256, 2);
        counts.add(257, 3);
        counts.add(Integer.MAX_VALUE, 4);

        assertThat(counts.after(0)).isEqualTo(255);
        assertThat(counts.after(254)).isEqualTo(255);
        assertThat(counts.after(255)).isEqualTo(256);
        assertThat(counts.after(256)).isEqualTo(257);
        assertThat(counts.after(257)).isEqualTo(Integer.MAX_VALUE);
        assertThat(counts.after(Integer.MAX_VALUE)).isZero();
        assertThat(counts.of(257)).isEqualTo(3);
    }

    @Test
    void shouldForgetWhatIsZero() {
        counts.add(7, 2);
        counts.add(8, 0);
        counts.add(9, 1);

        counts.add(7, -2);
        counts.remove(9);
        counts.remove(10);

        assertThat(counts.after(0)).isZero();
        assertThat(counts.of(7)).isZero();
    }

    @Test
    void shouldDoAsASortedMapDoes() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        NavigableMap<Integer, Long> expected = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            int sid = 1 + random.nextInt(random.nextBoolean() ? 300 : 5000);
            long more = random.nextInt(5) - 2;
            if (random.nextInt(10) == 0) {
                counts.remove(sid);
                expected.remove(sid);
            } else {
                counts.add(sid, more);
                expected.merge(sid, more, (one, other) -> one + other == 0 ? null : one + other);
                expected.remove(sid, 0L);
            }
            int from = random.nextInt(5100);
            Integer after = expected.higherKey(from);
            assertThat(counts.after(from)).as("seed %d, step %d", seed, step).isEqualTo(after == null ? 0 : after);
            assertThat(counts.of(sid)).as("seed %d, step %d", seed, step).isEqualTo(expected.getOrDefault(sid, 0L));
        }
    }
}
