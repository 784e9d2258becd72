package dev.ebb.store.layout;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.Sha256;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.model.Policies;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreFixture;
import java.io.ByteArrayOutputStream;
import java.util.HexFormat;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Formats that one version leaves for another, which a version that cannot read them leaves alone. */
class StateFormatTest {

    private static final long T0 = 1_800_000_000_000L;

    /** The shape that no version changes: a number of four bytes, the length of a text, the text. */
    private static final Bytes KEY = Bytes.wrap(new byte[] {6});

    private static final byte[] FORMAT_10 = {0, 0, 0, 10, 5, '9', '.', '9', '.', '9'};

    private final CountingStore events = new CountingStore(StoreNames.EVENTS, EventStore.indexes());
    private final CountingStore usage = new CountingStore("usage", null);
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
        usage.put(KEY, FORMAT_10);
        long puts = usage.puts;

        // then
        assertThatThrownBy(this::open)
                .isInstanceOf(StateFormatException.class)
                .hasMessageContaining("was written by Ebb 9.9.9 in format 10")
                .hasMessageContaining("reads format 9, and has changed nothing")
                .hasMessageContaining("Start a version that reads format 10, such as 9.9.9 or a newer one")
                .hasMessageContaining("or begin anew: with 'ebb dev --fresh'", "topics.prefix")
                .hasMessageContaining("docs/operations/upgrade.md");
        assertThat(usage.puts).isEqualTo(puts);
        assertThat(usage.get(KEY)).isEqualTo(FORMAT_10);
    }

    /** Before the first release no state has to be read that another build wrote otherwise. */
    @ParameterizedTest
    @CsvSource({"8, false", "9, true", "10, false"})
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

    /**
     * A state that another codec has written would be misread. If these bytes have changed, raise the number of the
     * format, and then take over the digest.
     */
    @Test
    void shouldHaveItsNumberForTheseCodecs() {
        // given streams of all kinds: with executions, a parent, a policy, and a grave
        StoreFixture fixture = new StoreFixture();
        fixture.event(event("a/1", "e1").status("completed").ttlSeconds(9).metadata(Map.of("k", "v")));
        fixture.execution("a/1", 1, "completed");
        fixture.execution("a/1", 2, "running");
        fixture.event(event("a/1", "e2").execution(2));
        fixture.status("a/1", "late", "completed", T0);
        fixture.event(event("a/2", "e1"));
        fixture.execution(new ExecutionUpdate(new StreamName("a/2"), 1, "done", new StreamName("a/1"), T0, T0), T0);
        fixture.event(event("gone/1", "e1"));
        fixture.retire("gone/1");
        fixture.policies(RetentionPolicy.of(Scope.ALL).maxCount(Limit.of(7)).build());
        fixture.commit();

        // when
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        fixture.events.whileReadingAll(() -> write(fixture.events, all));
        fixture.usage.whileReadingAll(() -> write(fixture.usage, all));

        // then
        String digest = HexFormat.of().formatHex(Sha256.of(all.toByteArray()), 0, 8);
        assertThat(StateFormat.current().number() + " " + digest).isEqualTo("9 4062feba2c4ab879");
    }

    private static void write(CountingStore store, ByteArrayOutputStream all) {
        try (KeyValueIterator<Bytes, byte[]> records = store.all()) {
            while (records.hasNext()) {
                KeyValue<Bytes, byte[]> record = records.next();
                if (!record.key.equals(KEY)) {
                    all.writeBytes(record.key.get());
                    all.writeBytes(record.value);
                }
            }
        }
    }

    private EventStore open() {
        EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
        usage.whileReadingAll(() -> store.open(policies));
        return store;
    }
}
