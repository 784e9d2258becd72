package dev.ebb.store.layout;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.source.SourcePlace;
import dev.ebb.model.EventBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The bytes of an event tell the same as the event. */
@Tag("T-10")
class EventSieveTest {

    private static final List<String> CONDITIONS = List.of(
            "id=o-1",
            "id=o-11",
            "type=order",
            "type=orde",
            "status=failed",
            "correlationId=c-1",
            "contentType=text/plain",
            "metadata.user=42",
            "metadata.user=421",
            "metadata.use=42",
            "metadata.agent=web",
            "metadata.ebb-source=t/0/7//orders");

    static List<StoredEvent> events() {
        EventBuilder bare = event("orders/1", "o-1");
        return List.of(
                bare.stored(5),
                event("orders/1", "o-11").type("order").status("failed").stored(6),
                event("orders/1", "o-1").correlationId("c-1").ttlSeconds(9).stored(7),
                event("orders/1", "o-1").contentType("text/plain").expiresAt(99).stored(8),
                event("orders/1", "o-1")
                        .status("running")
                        .metadata(Map.of("user", "42"))
                        .stored(9),
                event("orders/1", "o-1")
                        .type("order")
                        .correlationId("c-1")
                        .metadata(Map.of("user", "42", "agent", "web", "other", ""))
                        .payloadBytes(100)
                        .stored(10),
                event("orders/1", "o-1")
                        .metadata(Map.of(SourcePlace.METADATA, "t/0/7//orders", "user", "42"))
                        .stored(11));
    }

    @ParameterizedTest
    @MethodSource("events")
    void shouldTellFromTheBytesWhatTheEventTells(StoredEvent stored) {
        byte[] bytes = StoredEventCodec.encode(stored, stored.sizeBytes());
        byte[] marked = StoredEventCodec.marked(bytes, 77);

        for (String one : CONDITIONS) {
            for (String other : CONDITIONS) {
                List<EventCondition> both = conditions(one, other);
                boolean isMet = EventCondition.areAllMetBy(stored.event(), both);
                EventSieve sieve = new EventSieve(both);
                boolean isTaken = sieve.takesStream("orders/1") && sieve.takes(bytes);
                assertThat(isTaken).as("%s and %s of %s", one, other, stored).isEqualTo(isMet);
                assertThat(sieve.takes(marked)).isEqualTo(sieve.takes(bytes));
            }
        }
    }

    /** The bytes tell which events are of sources, and each event of which one. */
    @ParameterizedTest
    @MethodSource("events")
    void shouldTakeEachEventThatMayBeOfASource(StoredEvent stored) {
        byte[] bytes = StoredEventCodec.encode(stored, stored.sizeBytes());

        for (String other : CONDITIONS) {
            for (String source : List.of("source=orders", "source=order")) {
                List<EventCondition> both = conditions(source, other);
                EventSieve sieve = new EventSieve(both);
                assertThat(sieve.takesStream("orders/1") && sieve.takes(bytes))
                        .as("%s and %s of %s", source, other, stored)
                        .isEqualTo(SourcePlace.of(stored.event()) != null
                                && EventCondition.areAllMetBy(stored.event(), conditions(other)));
            }
            assertThat(EventCondition.areAllMetBy(stored.event(), conditions("source=orders")))
                    .isEqualTo(SourcePlace.of(stored.event()) != null);
            assertThat(EventCondition.areAllMetBy(stored.event(), conditions("source=order")))
                    .isFalse();
        }
    }

    @Test
    void shouldTakeNoStreamThatIsNotAskedFor() {
        EventSieve sieve = new EventSieve(conditions("stream=orders/1", "metadata.user=42"));

        assertThat(sieve.takesStream("orders/1")).isTrue();
        assertThat(sieve.takesStream("orders/2")).isFalse();
        assertThat(new EventSieve(conditions("stream=orders/1", "stream=orders/2")).takesStream("orders/1"))
                .isFalse();
    }

    private static List<EventCondition> conditions(String... texts) {
        return Arrays.stream(texts).map(EventCondition::parse).toList();
    }
}
