package dev.ebb.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.Model;
import dev.ebb.domain.event.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ContentsTest {

    private static final Workload WORKLOAD = new Workload(1, 10_000, 100, 4, 1_700_000_000_000L);

    @Test
    void shouldExpectTheLastOfEachId() {
        // given
        Map<String, Event> last = new LinkedHashMap<>();
        WORKLOAD.generator().forEachRemaining(next -> {
            Event event = next.event();
            last.put(event.stream() + "\n" + event.id(), event);
        });
        List<Event> backwards = new ArrayList<>(last.values());
        Collections.reverse(backwards);

        // when
        Contents expected = Model.all(WORKLOAD);

        // then
        assertThat(expected).isEqualTo(sum(backwards));
        assertThat(expected.events()).isLessThan(WORKLOAD.events());
    }

    @Test
    void shouldSeeWhatIsMissingTwiceOrOld() {
        // given
        List<Event> events = new ArrayList<>();
        WORKLOAD.generator().forEachRemaining(next -> events.add(next.event()));
        Contents whole = sum(events);
        Event first = events.get(0);

        // when
        byte[] payload = first.payload().clone();
        payload[100]++;
        Event changed = new Event(
                first.stream(),
                first.id(),
                first.type(),
                first.status(),
                first.occurredAt(),
                first.completedAt(),
                first.ttl(),
                first.execution(),
                first.correlationId(),
                first.metadata(),
                first.contentType(),
                payload);

        // then
        List<Event> rest = events.subList(1, events.size());
        assertThat(sum(rest)).isNotEqualTo(whole);
        assertThat(whole.plus(Contents.of(first))).isNotEqualTo(whole);
        assertThat(sum(rest).plus(Contents.of(events.get(1)))).isNotEqualTo(whole);
        assertThat(sum(rest).plus(Contents.of(changed))).isNotEqualTo(whole);
        assertThat(sum(rest).plus(Contents.of(first))).isEqualTo(whole);
    }

    private static Contents sum(List<Event> events) {
        return events.stream().map(Contents::of).reduce(Contents.NONE, Contents::plus);
    }
}
