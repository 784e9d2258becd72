package dev.ebb.domain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("O-20")
class SnapshotTest {

    @ParameterizedTest
    @ValueSource(ints = {0, 15, 16, 17, 100})
    void shouldHoldWhatTheOriginalHeldAndNeverChange(int size) {
        // given
        Map<Integer, String> map = new LinkedHashMap<>();
        IntStream.range(0, size).forEach(i -> map.put(i, "v" + i));
        Set<Integer> set = new TreeSet<>(map.keySet());

        // when
        Map<Integer, String> copy = Snapshot.of(map);
        Set<Integer> elements = Snapshot.of(set);
        Map<Integer, String> before = new LinkedHashMap<>(map);
        map.put(-1, "late");
        set.add(-1);

        // then
        assertThat(copy).isEqualTo(before);
        assertThat(elements).isEqualTo(before.keySet());
        assertThatThrownBy(() -> copy.put(-2, "")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> elements.add(-2)).isInstanceOf(UnsupportedOperationException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 17})
    void shouldTakeNoNull(int size) {
        Map<Integer, String> map = new LinkedHashMap<>();
        IntStream.range(0, size).forEach(i -> map.put(i, i == 7 ? null : ""));
        List<Integer> list = new ArrayList<>(Collections.nCopies(size - 1, 1));
        list.add(null);

        assertThatThrownBy(() -> Snapshot.of(map)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> Snapshot.of(list)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void shouldSortConstantsAndTakeNoNull() {
        // given
        Map<TimeUnit, Integer> map = new LinkedHashMap<>();
        map.put(TimeUnit.DAYS, 2);
        map.put(TimeUnit.NANOSECONDS, 1);

        // when
        Map<TimeUnit, Integer> copy = Snapshot.sorted(TimeUnit.class, map);
        map.put(TimeUnit.HOURS, null);

        // then
        assertThat(copy.keySet()).containsExactly(TimeUnit.NANOSECONDS, TimeUnit.DAYS);
        assertThatThrownBy(() -> copy.put(TimeUnit.HOURS, 3)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> Snapshot.sorted(TimeUnit.class, map)).isInstanceOf(NullPointerException.class);
        assertThat(Snapshot.sorted(TimeUnit.class, new LinkedHashMap<>())).isSameAs(Map.of());
    }

    @Test
    void shouldCostWhatIsInItWhateverTheHashes() {
        // given
        int size = 10_000;
        List<Colliding> keys = IntStream.range(0, size).mapToObj(Colliding::new).toList();
        Map<Colliding, String> map = new LinkedHashMap<>();
        keys.forEach(key -> map.put(key, ""));
        Colliding.comparisons = 0;

        // when
        Map<Colliding, String> copy = Snapshot.of(map);
        Set<Colliding> set = Snapshot.of(keys);
        keys.forEach(key -> assertThat(copy.containsKey(key)).isTrue());

        // then: a tree of 10,000 has 14 levels; trying one place after the other is 50 million
        assertThat(set).hasSize(size);
        assertThat(Colliding.comparisons).isLessThan(3 * 40 * size);
    }

    /** A name that collides with all others, and counts what it is compared with. */
    private static final class Colliding implements Comparable<Colliding> {

        private static long comparisons;
        private final int number;

        Colliding(int number) {
            this.number = number;
        }

        @Override
        public int compareTo(Colliding other) {
            comparisons++;
            return Integer.compare(number, other.number);
        }

        @Override
        public boolean equals(Object other) {
            comparisons++;
            return other instanceof Colliding that && number == that.number;
        }

        @Override
        public int hashCode() {
            return 1;
        }
    }
}
