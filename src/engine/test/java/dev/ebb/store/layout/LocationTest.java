package dev.ebb.store.layout;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.model.EventBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Where an event lies can be told from its key and its value. */
class LocationTest {

    private static final Position POSITION = new Position(0, 5, 7);

    static Stream<Arguments> places() {
        EventBuilder plain = event("s", "é").payloadBytes(3);
        EventBuilder pending = event("s", "é").status("pending");
        return Stream.of(
                place(plain, new Location(Range.ORDERED, POSITION, Location.NO_DUE, 9)),
                place(event("s", "é").noExpiration(), new Location(Range.ORDERED, POSITION, Location.NO_DUE, 9, true)),
                place(event("s", "é").noExpiration(), new Location(Range.INFINITE, POSITION, Location.NO_DUE, 9)),
                place(event("s", "é").ttlSeconds(1), new Location(Range.TIMED, POSITION, 1005, 9)),
                place(pending, new Location(Range.PINNED, POSITION, Location.NO_DUE, 9)));
    }

    private static Arguments place(EventBuilder event, Location location) {
        return Arguments.of(event.stored(5, POSITION.seq()), location);
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldBeFoundByKeyAndValue(StoredEvent event, Location location) {
        // given
        byte[] value = location.mark(StoredEventCodec.encode(event, location.sizeBytes()));
        byte[] key = location.key(3, "é").get();

        // when
        Location found = Location.of(location.range(), key, StoredEventCodec.decodeIdentity(value), value);

        // then
        assertThat(found).isEqualTo(location);
        assertThat(Location.of(location.range(), POSITION, StoredEventCodec.decodeHeader(value), value))
                .isEqualTo(location);
        assertThat(Location.decode(location.encode())).isEqualTo(location);
        assertThat(found.dueMs() != Location.NO_DUE).isEqualTo(location.range() == Range.TIMED);
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldMarkAValueWithWhatItsKeyDoesNotSay(StoredEvent event, Location location) {
        // given
        byte[] value = StoredEventCodec.encode(event, location.sizeBytes());

        // when
        byte[] marked = location.mark(value);

        // then
        assertThat(marked).hasSize(value.length + (location.range().isMarked() ? Long.BYTES : 0));
        assertThat(StoredEventCodec.decode(event.event().stream(), marked)).isEqualTo(event);
        assertThat(StoredEventCodec.unmarked(marked)).isEqualTo(value);
        assertThat(location.mark(marked)).isEqualTo(marked);
    }

    @Test
    void shouldTakeAMarkOffOnlyWhereThereIsOne() {
        byte[] value = StoredEventCodec.encode(event("s", "e").stored(5), 9);

        assertThat(StoredEventCodec.unmarked(value)).isSameAs(value);
        assertThat(StoredEventCodec.marked(StoredEventCodec.marked(value, 1), 2))
                .isEqualTo(StoredEventCodec.marked(value, 2));
        assertThat(StoredEventCodec.markOf(StoredEventCodec.marked(value, 2))).isEqualTo(2);
    }
}
