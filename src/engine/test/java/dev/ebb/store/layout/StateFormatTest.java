package dev.ebb.store.layout;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.Policies;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formats that one version leaves for another, which a version that cannot read them leaves alone. */
class StateFormatTest {

    private static final long T0 = 1_800_000_000_000L;

    /** The shape that no version changes: a number of four bytes, the length of a text, the text. */
    private static final Bytes KEY = Bytes.wrap(new byte[] {6});

    private static final byte[] FORMAT_5 = {0, 0, 0, 5, 5, '9', '.', '9', '.', '9'};

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
    void shouldTakeStateThatNamesNoFormatForTheFirst() {
        // given
        EventStore store = open();
        store.put(store.prepare(event("a/1", "1").build(), T0, T0, policies), policies);
        usage.put(KEY, null);

        // when
        EventStore again = open();

        // then
        assertThat(again.streams()).hasSize(1);
        assertThat(StateFormat.decode(usage.get(KEY))).isEqualTo(StateFormat.current());
    }

    @Test
    void shouldSayWhoWroteWhatItCannotReadAndChangeNothing() {
        // given
        usage.put(KEY, FORMAT_5);
        long puts = usage.puts;

        // then
        assertThatThrownBy(this::open)
                .isInstanceOf(StateFormatException.class)
                .hasMessageContaining("was written by Ebb 9.9.9 in format 5")
                .hasMessageContaining("reads formats 1 to 4, and has changed nothing")
                .hasMessageContaining("Start a version that reads format 5, such as 9.9.9 or a newer one")
                .hasMessageContaining("docs/operations.md, 'Upgrade'");
        assertThat(usage.puts).isEqualTo(puts);
        assertThat(usage.get(KEY)).isEqualTo(FORMAT_5);
    }

    /** Streams, and what is left of deleted ones, are as they were; whether graves stand was not remembered yet. */
    @Test
    void shouldTakeOverStateOfFormat2() {
        // given
        EventStore former = open();
        former.put(former.prepare(event("a/1", "1").build(), T0, T0, policies), policies);
        former.put(former.prepare(event("a/2", "1").build(), T0, T0, policies), policies);
        former.retire(
                former.stream(new StreamName("a/2")),
                RemovalCause.DELETE,
                Origin.ofCommand("c", "tester", "a test", "0/1"),
                T0 + 5);
        List.copyOf(usage.contents().keySet()).stream()
                .filter(key -> UsageKeys.kindOf(key) >= UsageKeys.GRAVE && !UsageKeys.isStream(key))
                .forEach(key -> usage.put(key, null));
        usage.put(KEY, new StateFormat(2, "0.9").encode());

        // when
        EventStore store = open();

        // then
        assertThat(StateFormat.decode(usage.get(KEY))).isEqualTo(StateFormat.current());
        assertThat(store.streams()).hasSize(1);
        assertThat(store.hasRetired()).isTrue();
        assertThat(store.graves().count()).isZero();
        assertThat(store.isLate(new StreamName("a/2"), T0, T0 + 10)).isFalse();

        // when
        store.retire(
                store.stream(new StreamName("a/1")),
                RemovalCause.DELETE,
                Origin.ofCommand("d", "tester", "a test", "0/2"),
                T0 + 10);

        // then
        assertThat(open().isLate(new StreamName("a/1"), T0 + 9, T0 + 10)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"0, false", "1, true", "2, true", "3, true", "4, true", "5, false"})
    void shouldReadItsOwnFormatAndThoseBefore(int number, boolean isReadable) {
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
