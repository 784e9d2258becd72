package dev.ebb.bench.stack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.domain.event.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ModelTest {

    private static final Workload USUAL = new Workload(3, 10_000, 100, 4, 1_700_000_000_000L);
    private static final Workload PLAIN = new Workload(3, 5000, 20, 4, 1_700_000_000_000L, Mix.PLAIN);

    @Test
    void shouldLeaveOfEachIdTheLastEventIfSomethingGuardsIt() {
        // given
        Contents guarded = Contents.NONE;
        for (Event event : last(USUAL)) {
            if ("pending".equals(event.status()) || event.ttl().isFinite()) {
                guarded = guarded.plus(Contents.of(event));
            }
        }

        // then
        assertThat(Model.guarded(USUAL)).isEqualTo(guarded);
        assertThat(Model.due(USUAL)).isEqualTo(last(USUAL).size() - guarded.events());
        assertThat(guarded.events()).isBetween(500L, 700L);
    }

    @Test
    void shouldShowEachIdOnce() {
        // when
        List<Event> events = new ArrayList<>();
        Model.forEachLast(USUAL, events::add);

        // then
        assertThat(events).containsExactlyInAnyOrderElementsOf(last(USUAL));
    }

    @Test
    void shouldLeaveTheNewestOfEachStream() {
        // given
        Map<String, List<Event>> streams = new HashMap<>();
        PLAIN.generator().forEachRemaining(next -> streams.computeIfAbsent(
                        next.event().stream().value(), name -> new ArrayList<>())
                .add(next.event()));
        Contents newest = Contents.NONE;
        for (List<Event> stream : streams.values()) {
            for (Event event : stream.subList(stream.size() - 10, stream.size())) {
                newest = newest.plus(Contents.of(event));
            }
        }

        // then
        assertThat(Model.newest(PLAIN, 10)).isEqualTo(newest);
        assertThat(newest.events()).isEqualTo(200);
    }

    @Test
    void shouldLeaveNothingOfFinishedWorkAlone() {
        assertThat(Model.guarded(PLAIN)).isEqualTo(Contents.NONE);
        assertThat(Model.all(PLAIN).events()).isEqualTo(5000);
    }

    private static List<Event> last(Workload workload) {
        Map<String, Event> last = new LinkedHashMap<>();
        workload.generator()
                .forEachRemaining(next ->
                        last.put(next.event().stream() + "\n" + next.event().id(), next.event()));
        return List.copyOf(last.values());
    }
}
