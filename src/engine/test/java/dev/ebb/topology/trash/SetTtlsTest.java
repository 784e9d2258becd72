package dev.ebb.topology.trash;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.StoreFixture;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A note on TTLs of commands stays as long as an event with such a TTL may be there, or may come back (T-5). */
@Tag("T-5")
class SetTtlsTest {

    private static final StreamName STREAM = new StreamName("orders/1");
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();

    private final StoreFixture fixture = new StoreFixture();
    private final SetTtls notes = new SetTtls(fixture.store);

    @Test
    void shouldKeepTheNoteWhileAnEventIsStored() {
        // given
        fixture.event(event(STREAM.value(), "a"));
        notes.note(STREAM);

        // when
        notes.forget(TestBook.empty(), HOUR_MS);

        // then
        assertThat(notes.isNoted(STREAM)).isTrue();
    }

    /** Events of a deleted stream are neither counted as stored nor in the trash until their turn comes. */
    @Test
    void shouldKeepTheNoteWhileADeletedStreamIsNotEmptied() {
        // given
        fixture.event(event(STREAM.value(), "a"));
        notes.note(STREAM);
        fixture.retire(STREAM.value());

        // when
        notes.forget(TestBook.empty(), HOUR_MS);

        // then
        assertThat(notes.isNoted(STREAM)).isTrue();
    }

    @Test
    void shouldForgetTheNoteOnceNothingIsLeft() {
        // given
        notes.note(STREAM);

        // when
        notes.forget(TestBook.empty(), HOUR_MS);

        // then
        assertThat(notes.isNoted(STREAM)).isFalse();
    }
}
