package dev.ebb.runtime.reads;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyMode;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.port.forecast.StreamFigures.Overdue;
import dev.ebb.runtime.ReadingSide;
import dev.ebb.store.CountingStore;
import dev.ebb.store.EventStore;
import dev.ebb.store.read.ReadOnlyEventStore;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("C-13")
class LocalStreamFiguresTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final long MAX_AGE = 1000;

    private final CountingStore events = new CountingStore("events", EventStore.indexes());
    private final KeyValueStore<Bytes, byte[]> usage =
            Stores.inMemoryKeyValueStore("usage").get();
    private final PolicySet policies =
            Policies.all(all -> all.maxAge(Limit.of(MAX_AGE)).mode(PolicyMode.WARN));
    private final EventStore store = new EventStore(events, usage, TerminalStatuses.DEFAULT);
    private final LocalStreamFigures figures = new LocalStreamFigures(
            partition -> new ReadOnlyEventStore(events, usage), () -> policies, new ReadingSide.TestClock(() -> T0));

    @BeforeEach
    void open() {
        events.whileReadingAll(() -> store.open(policies));
    }

    /** M-13: at its due time an event is not overdue; it is one millisecond later, also where the policy only warns. */
    @ParameterizedTest
    @CsvSource({"1,0", "0,0", "-1,1"})
    void shouldCountOverdueEvents(long offset, long overdue) {
        // given
        put(event("a/1", "1"), T0 - MAX_AGE + offset);
        put(event("a/1", "open").status("pending"), T0 - 10 * MAX_AGE);
        List<Overdue> found = new ArrayList<>();

        // when
        figures.visit(List.of(0), stream -> found.add(stream.overdue()));

        // then
        assertThat(found).containsExactly(new Overdue(overdue, true));
    }

    /** An oldest anchor at T0: before, at and after a time. */
    @ParameterizedTest
    @CsvSource({"-1,", "0,", "1,1800000000000"})
    void shouldTellTheOldestAnchorBeforeATime(long offset, Long oldest) {
        // given
        put(event("a/1", "open").status("pending"), T0 - 10);
        put(event("a/1", "1").ttlSeconds(100), T0);
        put(event("a/1", "2"), T0 + 5);
        List<Long> found = new ArrayList<>();

        // when
        figures.visit(List.of(0), stream -> found.add(stream.oldestBefore(T0 + offset)));

        // then
        assertThat(found).containsExactly(oldest);
    }

    /** Events of many streams are not read where their records say enough. */
    @Test
    void shouldReadNoEventWhereTheRecordSaysEnough() {
        // given
        for (int i = 0; i < 2500; i++) {
            put(event("a/" + i, "1"), T0 + 1);
        }
        events.resetCounts();
        long[] seen = {0};

        // when
        figures.visit(List.of(0), stream -> {
            seen[0] += stream.events() + stream.overdue().events();
            return stream.oldestBefore(T0 + 1) == null;
        });

        // then
        assertThat(seen[0]).isEqualTo(2500);
        assertThat(events.operations()).isZero();
    }

    @Test
    void shouldEndWhenTheVisitorHasSeenEnough() {
        // given
        put(event("a/1", "1"), T0);
        put(event("a/2", "1"), T0);
        List<String> seen = new ArrayList<>();

        // when
        figures.visit(List.of(0, 1), stream -> !seen.add(stream.stream().value()));

        // then
        assertThat(seen).containsExactly("a/1");
    }

    private void put(EventBuilder builder, long storedAtMs) {
        Event event = builder.build();
        store.put(store.prepare(event, storedAtMs, storedAtMs, policies), policies);
    }
}
