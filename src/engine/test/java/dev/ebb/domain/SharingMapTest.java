package dev.ebb.domain;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ebb.model.SeededCases;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy is a map of its own, and costs what was changed. */
class SharingMapTest {

    @Test
    void shouldHoldWhatAMapHoldsAndNeverChange() {
        SeededCases.forAll(50, random -> {
            Map<Integer, Integer> model = new HashMap<>();
            SharingMap<Integer, Integer> map = SharingMap.empty();
            for (int step = 0; step < 200; step++) {
                SharingMap<Integer, Integer> before = map;
                Map<Integer, Integer> modelBefore = new HashMap<>(model);
                map = map.with(change(random, model));

                assertThat(before).isEqualTo(modelBefore);
                assertThat(map).isEqualTo(model).hasSize(model.size());
                assertThat(map.get(7)).isEqualTo(model.get(7));
                assertThat(differences(before, map)).isEqualTo(differences(modelBefore, model));
                assertThat(differences(map, before)).isEqualTo(differences(modelBefore, model));
            }
        });
    }

    /** Up to some thousands at once, so that the parts become more and fewer. */
    private static Map<Integer, Integer> change(Random random, Map<Integer, Integer> model) {
        Map<Integer, Integer> changes = new HashMap<>();
        int most = random.nextInt(50) == 0 ? 5000 : 5;
        boolean isRemoval = random.nextInt(3) == 0;
        for (int i = 0; i < 1 + random.nextInt(most); i++) {
            changes.put(random.nextInt(5000), isRemoval ? null : (Integer) random.nextInt(3));
        }
        model.putAll(changes);
        model.values().removeIf(value -> value == null);
        return changes;
    }

    private static Set<Integer> differences(SharingMap<Integer, Integer> one, SharingMap<Integer, Integer> other) {
        List<Integer> told = new ArrayList<>();
        one.differences(other, told::add);
        assertThat(told).doesNotHaveDuplicates();
        return new HashSet<>(told);
    }

    private static Set<Integer> differences(Map<Integer, Integer> one, Map<Integer, Integer> other) {
        Set<Integer> keys = new HashSet<>(one.keySet());
        keys.addAll(other.keySet());
        keys.removeIf(key -> one.containsKey(key) && one.get(key).equals(other.get(key)));
        return keys;
    }

    @Test
    void shouldBeItselfWithoutWhatItDoesNotHave() {
        SharingMap<String, Integer> map = SharingMap.of(Map.of("a", 1));

        assertThat(map.with(Collections.singletonMap("b", null))).isEqualTo(map);
        assertThat(map.with(Collections.singletonMap("a", null))).isEmpty();
        assertThat(map.get(null)).isNull();
    }

    @ParameterizedTest
    @Tag("I-6")
    @ValueSource(ints = {10_000, 100_000, 1_000_000})
    void shouldCostWhatChangesWhateverItHolds(int size) {
        // given
        Map<Integer, Integer> contents =
                IntStream.range(0, size).boxed().collect(Collectors.toMap(each -> each, each -> each));
        SharingMap<Integer, Integer> map = SharingMap.of(contents);
        map.with(1, 2);

        // when
        long before = allocated();
        SharingMap<Integer, Integer> copy = map.with(7, 8);
        long bytes = allocated() - before;

        // then: a copy of all would take more than 30 bytes for each entry
        assertThat(copy.get(7)).isEqualTo(8);
        assertThat(bytes).isLessThan(100_000);
    }

    private static long allocated() {
        return ((ThreadMXBean) ManagementFactory.getThreadMXBean())
                .getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    /** Parts stay small: a change copies one of them, and few of them are left when most entries have gone. */
    @Test
    @Tag("I-6")
    void shouldGrowAndShrinkWithItsEntries() {
        // given
        Map<Integer, Integer> many =
                IntStream.range(0, 200_000).boxed().collect(Collectors.toMap(each -> each, each -> each));
        Map<Integer, Integer> none = new HashMap<>();
        many.keySet().forEach(key -> none.put(key, null));
        SharingMap<Integer, Integer> grown =
                SharingMap.<Integer, Integer>empty().with(many);
        SharingMap<Integer, Integer> shrunk =
                grown.with(none).with(1, 1).with(2, 2).with(3, 3).with(4, 4);

        // then
        assertThat(shrunk).isEqualTo(Map.of(1, 1, 2, 2, 3, 3, 4, 4));
        assertThat(shrunk.entrySet()).hasSize(4);
        assertThat(bytesOfAChange(grown)).isLessThan(100_000);
        assertThat(bytesOfAChange(shrunk)).isLessThan(2_000);
    }

    private static long bytesOfAChange(SharingMap<Integer, Integer> map) {
        map.with(7, 6);
        long before = allocated();
        map.with(7, 8);
        return allocated() - before;
    }
}
