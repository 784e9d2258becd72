package dev.ebb.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.model.Policies;
import dev.ebb.model.SeededCases;
import dev.ebb.store.layout.Arrangement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("A-1")
class DueHeapTest {

    private static final EffectivePolicy POLICY = Policies.effective(p -> p);

    @Test
    void shouldHoldWhatASortedMapHolds() {
        SeededCases.forAll(300, random -> {
            List<StreamState> streams = streams(30);
            DueHeap<StreamState> heap = new DueHeap<>();
            Map<StreamState, Long> expected = new HashMap<>();
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
        List<StreamState> streams = streams(2);
        DueHeap<StreamState> slow = new DueHeap<>();
        DueHeap<StreamState> quick = new DueHeap<>();
        slow.put(streams.get(0), 5);
        slow.put(streams.get(1), 6);

        // when
        quick.put(streams.get(0), 7);

        // then
        assertThat(slow.first()).isSameAs(streams.get(1));
        assertThat(quick.first()).isSameAs(streams.get(0));
        assertThat(slow.countBefore(100, 100)).isEqualTo(1);
    }

    @Test
    void shouldStopCountingAtTheLimit() {
        DueHeap<StreamState> heap = new DueHeap<>();
        streams(20).forEach(stream -> heap.put(stream, 5));

        assertThat(heap.countBefore(6, 7)).isEqualTo(7);
        assertThat(heap.countBefore(5, 7)).isZero();
    }

    private static void change(
            Random random, DueHeap<StreamState> heap, StreamState stream, Map<StreamState, Long> expected) {
        if (random.nextInt(4) == 0 && expected.containsKey(stream)) {
            heap.remove(stream);
            expected.remove(stream);
        } else {
            long dueMs = random.nextInt(20);
            heap.put(stream, dueMs);
            expected.put(stream, dueMs);
        }
    }

    private static void check(Random random, DueHeap<StreamState> heap, Map<StreamState, Long> expected) {
        StreamState first = heap.first();
        if (expected.isEmpty()) {
            assertThat(first).isNull();
        } else {
            long earliest =
                    expected.values().stream().mapToLong(Long::longValue).min().orElseThrow();
            assertThat(expected.get(first)).isEqualTo(earliest);
        }
        long time = random.nextInt(22);
        long before = expected.values().stream().filter(due -> due < time).count();
        assertThat(heap.countBefore(time, Integer.MAX_VALUE)).isEqualTo((int) before);
    }

    private static List<StreamState> streams(int count) {
        List<StreamState> streams = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            streams.add(new StreamState(new StreamName("s" + i), i, POLICY, Arrangement.of(POLICY, 0)));
        }
        return streams;
    }
}
