package dev.ebb.store.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.model.Policies;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formats that one version leaves for another, which a version that cannot read them leaves alone. */
class StateFormatTest {

    private static final long T0 = 1_800_000_000_000L;

    /** The shape that no version changes: a number of four bytes, the length of a text, the text. */
    private static final Bytes KEY = Bytes.wrap(new byte[] {6});

    private static final byte[] FORMAT_2 = {0, 0, 0, 2, 5, '9', '.', '9', '.', '9'};

    private final CountingStore events = new CountingStore(StoreNames.EVENTS, EventStore.indexes());
    private final CountingStore usage = new CountingStore(StoreNames.USAGE, null);
    private final PolicySet policies = Policies.all(all -> all.maxAge(Limit.NONE));

    @Test
    void shouldNameItsFormatInANewStateBeforeAnythingElse() {
        // when
        open();

        // then
        assertThat(StateFormat.decode(usage.get(KEY))).isEqualTo(StateFormat.current());
        assertThat(usage.puts).isEqualTo(1);
    }

    @Test
    void shouldWriteItOnce() {
        // given
        open();

        // when
        open();

        // then
        assertThat(usage.puts).isEqualTo(1);
    }

    @Test
    void shouldSayWhoWroteWhatItCannotReadAndChangeNothing() {
        // given
        usage.put(KEY, FORMAT_2);
        long puts = usage.puts;

        // then
        assertThatThrownBy(this::open)
                .isInstanceOf(StateFormatException.class)
                .hasMessageContaining("was written by Ebb 9.9.9 in format 2")
                .hasMessageContaining("reads format 1, and has changed nothing")
                .hasMessageContaining("Start a version that reads format 2, such as 9.9.9 or a newer one")
                .hasMessageContaining("docs/operations/upgrade.md");
        assertThat(usage.puts).isEqualTo(puts);
        assertThat(usage.get(KEY)).isEqualTo(FORMAT_2);
    }

    /** Before the first release no state has to be read that another build wrote otherwise. */
    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "2, false"})
    void shouldReadItsOwnFormatAlone(int number, boolean isReadable) {
        // given
        StateFormat format = new StateFormat(number, "9.9.9");

        // then
        if (isReadable) {
            assertThatCode(() -> format.requireReadable("it")).doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> format.requireReadable("it")).isInstanceOf(StateFormatException.class);
        }
    }

    private EventStore open() {
        EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
        usage.whileReadingAll(() -> store.open(policies));
        return store;
    }
}
