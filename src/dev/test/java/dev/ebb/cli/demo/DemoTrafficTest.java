package dev.ebb.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoTrafficTest {

    private final List<Event> events = new ArrayList<>();
    private final List<EventUpdate> updates = new ArrayList<>();

    @Test
    void shouldMakeEventsOfEveryKindAndCompleteMostOrders() {
        // given
        DemoTraffic traffic = new DemoTraffic(1, events::add, updates::add);

        // when
        for (int i = 0; i < 200; i++) {
            traffic.tick();
        }

        // then
        assertThat(events.stream().map(event -> event.stream().namespace()).distinct())
                .containsExactlyInAnyOrder("chat", "metrics", "logs", "sessions", "orders");
        assertThat(events.stream().map(event -> event.stream() + " " + event.id()))
                .doesNotHaveDuplicates();
        assertThat(updates).hasSizeBetween(100, 159);
    }
}
