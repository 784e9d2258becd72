package dev.ebb.store.layout;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.model.Policies;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.TakenIn.Position;
import dev.ebb.store.state.Graves;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("I-7")
class TakenInTest {

    private static final Bytes KEY = Bytes.wrap(new byte[] {6});
    private static final String TOPIC = "ebb.events";
    private static final long T0 = 1_800_000_000_000L;

    private final CountingStore usage = new CountingStore("usage", null);
    private final TakenIn takenIn = new TakenIn(usage);

    @ParameterizedTest
    @CsvSource({"9, true", "10, true", "11, false"})
    void shouldRefuseWhatWasTakenInBefore(long offset, boolean isRefused) {
        // given
        takenIn.took(TOPIC, "id", 10, false);

        // then
        if (isRefused) {
            assertThatThrownBy(() -> takenIn.took(TOPIC, "id", offset, false))
                    .isInstanceOf(TakenInBeforeException.class)
                    .hasMessageContaining(
                            "offset " + offset + " of ebb.events was already taken in, like everything before 11")
                    .hasMessageContaining("run 'ebb offsets restore'");
        } else {
            takenIn.took(TOPIC, "id", offset, false);
            takenIn.save();
            assertThat(stored()).containsEntry(TOPIC, new Position("id", offset + 1));
        }
    }

    @Test
    void shouldRememberAcrossARestart() {
        // given
        takenIn.took(TOPIC, "id", 10, false);
        takenIn.took("ebb.commands", "other", 3, false);
        takenIn.save();

        // when
        TakenIn again = new TakenIn(usage);
        again.open();

        // then
        assertThat(stored()).isEqualTo(Map.of(TOPIC, new Position("id", 11), "ebb.commands", new Position("other", 4)));
        assertThatThrownBy(() -> again.took(TOPIC, "id", 10, false)).isInstanceOf(TakenInBeforeException.class);
        again.took(TOPIC, "id", 11, false);
    }

    @Test
    void shouldBeginAnewWithATopicThatWasMadeAnew() {
        // given
        takenIn.took(TOPIC, "id", 10, false);

        // when
        takenIn.took(TOPIC, "anew", 0, false);
        takenIn.save();

        // then
        assertThat(stored()).containsExactly(Map.entry(TOPIC, new Position("anew", 1)));
    }

    @Test
    void shouldLetRecordsComeAgainWhereTheyMay() {
        // given
        takenIn.took(TOPIC, "id", 10, true);

        // when
        takenIn.took(TOPIC, "id", 4, true);
        takenIn.save();

        // then
        assertThat(stored()).containsEntry(TOPIC, new Position("id", 5));
    }

    @Test
    void shouldRememberNothingOfATopicWithoutId() {
        assertThat(takenIn.took(TOPIC, "", 10, false)).isFalse();
        assertThat(takenIn.took(TOPIC, "", 3, false)).isFalse();

        takenIn.save();
        assertThat(usage.puts).isZero();
    }

    @Test
    void shouldAskToBeSavedOnceAndWriteOnce() {
        assertThat(takenIn.took(TOPIC, "id", 1, false)).isTrue();
        assertThat(takenIn.took(TOPIC, "id", 2, false)).isFalse();
        takenIn.save();
        takenIn.save();
        assertThat(usage.puts).isEqualTo(1);
        assertThat(takenIn.took(TOPIC, "id", 3, false)).isTrue();
    }

    @Test
    void shouldStandBehindTheFormatWhichEveryVersionReads() {
        // given: as another version has left it
        usage.put(
                KEY,
                TakenIn.encode(
                        new StateFormat(StateFormat.current().number(), "another"),
                        Map.of(TOPIC, new Position("id", 11))));

        // when
        StateFormat.claim(usage, "it");

        // then
        assertThat(StateFormat.decode(usage.get(KEY))).isEqualTo(StateFormat.current());
        assertThat(stored()).containsExactly(Map.entry(TOPIC, new Position("id", 11)));
        assertThat(TakenIn.decode(StateFormat.current().encode())).isEmpty();
    }

    @Test
    void shouldBeWrittenWithTheUsageBeforeACommit() {
        // given
        PolicySet policies = Policies.all(all -> all.maxAge(Limit.NONE));
        CountingStore events = new CountingStore(StoreNames.EVENTS, EventStore.indexes());
        int[] reminders = {0};
        EventStore store = new EventStore(
                events,
                usage,
                TerminalStatuses.DEFAULT,
                Graves.DEFAULT_RETENTION,
                () -> Long.MAX_VALUE,
                () -> reminders[0]++);
        usage.whileReadingAll(() -> store.open(policies));

        // when
        store.takeIn(TOPIC, "id", 7, false);
        store.takeIn(TOPIC, "id", 8, false);
        store.put(store.prepare(event("a/1", "1").build(), T0, T0, policies), policies);

        // then
        assertThat(reminders[0]).isPositive();
        assertThat(stored()).isEmpty();
        store.saveUsage();
        assertThat(stored()).containsExactly(Map.entry(TOPIC, new Position("id", 9)));
        usage.whileReadingAll(() -> store.open(policies));
        assertThatThrownBy(() -> store.takeIn(TOPIC, "id", 8, false)).isInstanceOf(TakenInBeforeException.class);
    }

    @Test
    void shouldKnowTheKeysOfAChangelog() {
        assertThat(TakenIn.isKey(KEY.get())).isTrue();
        assertThat(TakenIn.isKey(new byte[] {0})).isFalse();
        assertThat(TakenIn.isKey(null)).isFalse();
    }

    private Map<String, Position> stored() {
        byte[] format = usage.get(KEY);
        return format == null ? Map.of() : TakenIn.decode(format);
    }
}
