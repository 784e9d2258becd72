package dev.ebb.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.model.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-1")
class DueHeapTest {

    @Test
    void shouldHoldWhatASortedMapHolds() {
        SeededCases.forAll(300, random -> {
            List<HeapPlace<Integer>> streams = streams(30);
            DueHeap<Integer> heap = new DueHeap<>();
            Map<HeapPlace<Integer>, Long> expected = new HashMap<>();
            for (int step = 0; step < 100; step++) {
                // when
                change(random, heap, streams.get(random.nextInt(streams.size())), expected);

                // then
                check(random, heap, expected);
            }
        });
    }

    @Test
    void shouldTakeAStreamOverFromAnotherHeap() {
        // given
        List<HeapPlace<Integer>> streams = streams(2);
        DueHeap<Integer> slow = new DueHeap<>();
        DueHeap<Integer> quick = new DueHeap<>();
        slow.put(streams.get(0), 5);
        slow.put(streams.get(1), 6);

        // when
        quick.put(streams.get(0), 7);

        // then
        assertThat(slow.first()).isEqualTo(1);
        assertThat(quick.first()).isZero();
        assertThat(slow.countBefore(100, 100)).isEqualTo(1);
    }

    @Test
    void shouldStopCountingAtTheLimit() {
        DueHeap<Integer> heap = new DueHeap<>();
        streams(20).forEach(stream -> heap.put(stream, 5));

        assertThat(heap.countBefore(6, 7)).isEqualTo(7);
        assertThat(heap.countBefore(5, 7)).isZero();
    }

    private static void change(
            Random random, DueHeap<Integer> heap, HeapPlace<Integer> stream, Map<HeapPlace<Integer>, Long> expected) {
        if (random.nextInt(4) == 0 && expected.containsKey(stream)) {
            heap.remove(stream);
            expected.remove(stream);
        } else {
            long dueMs = random.nextInt(20);
            heap.put(stream, dueMs);
            expected.put(stream, dueMs);
        }
    }

    private static void check(Random random, DueHeap<Integer> heap, Map<HeapPlace<Integer>, Long> expected) {
        long earliest =
                expected.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE);
        assertThat(heap.firstDueMs()).isEqualTo(earliest);
        Integer first = heap.first();
        assertThat(expected.entrySet().stream()
                        .filter(due -> due.getKey().entry.equals(first))
                        .map(Map.Entry::getValue))
                .isEqualTo(expected.isEmpty() ? List.of() : List.of(earliest));
        long time = random.nextInt(22);
        long before = expected.values().stream().filter(due -> due < time).count();
        assertThat(heap.countBefore(time, Integer.MAX_VALUE)).isEqualTo((int) before);
    }

    private static List<HeapPlace<Integer>> streams(int count) {
        List<HeapPlace<Integer>> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(new HeapPlace<>(i));
        }
        return streams;
    }
}
