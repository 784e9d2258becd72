package dev.ebb.store.state;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ebb.domain.SharingMap;
import dev.ebb.model.SeededCases;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.NamespaceTotals;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.topology.observe.TaskStatus;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A task says each second what its namespaces hold: that costs what has changed, and is exact. */
class NamespaceCountsTest {

    private static final Location PLACE = new Location(Range.ORDERED, new Position(0, 1, 1), Location.NO_DUE, 100);

    private final NamespaceCounts counts = new NamespaceCounts();

    @Test
    void shouldSayWhatThereIsAtThatMoment() {
        SeededCases.forAll(100, random -> {
            counts.clear();
            Map<String, long[]> model = new HashMap<>();
            for (int step = 0; step < 200; step++) {
                int number = random.nextInt(20);
                String name = number == 0 ? "" : "n" + number;
                if (!model.containsKey(name)) {
                    counts.addStream(name, 1);
                    model.put(name, new long[1]);
                } else if (random.nextInt(10) == 0) {
                    counts.addStream(name, -1);
                    model.remove(name);
                } else {
                    counts.add(name, PLACE, 1, false);
                    model.get(name)[0]++;
                }
                if (random.nextInt(5) == 0) {
                    Map<String, Long> events = new HashMap<>();
                    counts.snapshot().forEach((namespace, held) -> events.put(namespace, held.events()));
                    Map<String, Long> expected = new HashMap<>();
                    model.forEach((namespace, held) -> expected.put(namespace, held[0]));
                    assertThat(events).isEqualTo(expected);
                }
            }
        });
    }

    @Test
    void shouldNotChangeWhatItHasSaid() {
        // given
        counts.addStream("a", 1);
        counts.add("a", PLACE, 1, false);
        SharingMap<String, NamespaceTotals> said = counts.snapshot();

        // when
        counts.add("a", PLACE, 1, false);
        counts.addStream("b", 1);

        // then
        assertThat(said).containsOnlyKeys("a");
        assertThat(said.get("a")).extracting(NamespaceTotals::events).isEqualTo(1L);
        assertThat(counts.snapshot().get("a"))
                .extracting(NamespaceTotals::events)
                .isEqualTo(2L);
    }

    /** One event between two statuses. */
    @ParameterizedTest
    @Tag("I-6")
    @ValueSource(ints = {100, 10_000, 100_000})
    void shouldCostWhatHasChangedHoweverManyNamespacesThereAre(int namespaces) {
        // given
        for (int i = 0; i < namespaces; i++) {
            counts.addStream("namespace-" + i, 1);
            counts.add("namespace-" + i, PLACE, 1, false);
        }
        status(counts.snapshot());
        allocatedBy(() -> status(counts.snapshot()));

        // when
        counts.add("namespace-7", PLACE, 1, false);
        long bytes = allocatedBy(() -> status(counts.snapshot()));

        // then
        assertThat(bytes).isLessThan(100_000);
    }

    private static TaskStatus status(Map<String, NamespaceTotals> namespaces) {
        return new TaskStatus(
                0,
                TaskStatus.SweepState.IDLE,
                -1,
                -1,
                -1,
                -1,
                0,
                0,
                0,
                List.of(),
                namespaces,
                null,
                TaskStatus.Stale.NONE,
                Map.of(),
                0,
                0,
                List.of(),
                Map.of(),
                TaskStatus.Crowd.NONE);
    }

    private static long allocatedBy(Supplier<?> work) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long id = Thread.currentThread().getId();
        long before = threads.getThreadAllocatedBytes(id);
        Object made = work.get();
        long bytes = threads.getThreadAllocatedBytes(id) - before;
        assertThat(made).isNotNull();
        return bytes;
    }
}
