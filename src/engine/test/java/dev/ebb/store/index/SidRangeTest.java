package dev.ebb.store.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.store.CountingStore;
import dev.ebb.store.layout.UsageKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("A-17")
class SidRangeTest {

    private static final byte[] VALUE = {1};

    private final CountingStore usage = new CountingStore("usage", null);
    private final SidRange sids = new SidRange(usage, UsageKeys.WORKING);

    /** A page has 256 numbers. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 256, 257, 1000})
    void shouldFindAllInOrder(int size) {
        // given
        List<Integer> expected = new ArrayList<>();
        for (int i = 1; i <= size; i++) {
            sids.put(3 * i, VALUE);
            expected.add(3 * i);
        }
        new SidRange(usage, UsageKeys.MOVING).put(4, VALUE);
        new SidRange(usage, UsageKeys.QUARANTINED).put(5, VALUE);

        // when
        List<Integer> found = new ArrayList<>();
        for (int sid = sids.after(0); sid > 0; sid = sids.after(sid)) {
            found.add(sid);
        }

        // then
        assertThat(found).isEqualTo(expected);
    }

    /** In whatever order numbers are asked for, come and go: none is missed, and what is left of a page is no harm. */
    @Test
    void shouldMissNoneWhateverComesAndGoes() {
        long seed = Long.getLong("test.seed", System.nanoTime());
        Random random = new Random(seed);
        TreeSet<Integer> model = new TreeSet<>();
        for (int step = 0; step < 20_000; step++) {
            int sid = 1 + random.nextInt(900);
            switch (random.nextInt(3)) {
                case 0 -> {
                    sids.put(sid, VALUE);
                    model.add(sid);
                }
                case 1 -> {
                    sids.remove(sid);
                    model.remove(sid);
                }
                default -> {
                    int found = sids.after(sid);
                    while (found > 0 && sids.get(found) == null) {
                        found = sids.after(found);
                    }
                    Integer expected = model.higher(sid);
                    assertThat(found)
                            .as("-Dtest.seed=" + seed + ", step " + step)
                            .isEqualTo(expected == null ? 0 : expected);
                }
            }
        }
    }
}
