package dev.ebb.wire.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.ebb.api.events.EventView;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.Fate;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.ReadEvent;
import dev.ebb.wire.WireJson;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventRowTest {

    @Test
    void shouldHaveTheFieldsOfAnEventAsItIsShown() throws JsonProcessingException {
        assertThat(row(new ReadEvent(stored("pending", true), RetentionDecider.NEVER, false, Fate.PROTECTED)))
                .isEqualTo(new EventRow(
                        "orders/1",
                        "e-1",
                        "paid",
                        "pending",
                        Instant.ofEpochMilli(100),
                        Instant.ofEpochMilli(200),
                        stored("pending", true).sizeBytes(),
                        false,
                        null,
                        "protected"));
        assertThat(row(new ReadEvent(stored(null, false), 300, true, Fate.GOES)))
                .isEqualTo(new EventRow(
                        "orders/1",
                        "e-1",
                        "paid",
                        null,
                        Instant.ofEpochMilli(100),
                        Instant.ofEpochMilli(200),
                        stored(null, false).sizeBytes(),
                        true,
                        Instant.ofEpochMilli(300),
                        "goes"));
    }

    private static EventRow row(ReadEvent event) throws JsonProcessingException {
        return WireJson.read(EventView.of(event, true), EventRow.class);
    }

    private static StoredEvent stored(@Nullable String status, boolean isProtected) {
        Event event = new Event(
                new StreamName("orders/1"),
                new EventId("e-1"),
                "paid",
                status,
                100L,
                isProtected ? null : (Long) 150L,
                OwnTtl.NONE,
                0,
                null,
                Map.of(),
                "text/plain",
                new byte[] {65});
        return new StoredEvent(event, 200, 0, isProtected);
    }
}
