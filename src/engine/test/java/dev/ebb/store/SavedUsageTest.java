package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.state.Graves;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a stream's usage is written, and that it is before a commit. */
@Tag("A-4")
class SavedUsageTest {

    private static final long T0 = 1_800_000_000_000L;

    private final CountingStore events = new CountingStore(StoreNames.EVENTS, EventStore.indexes());
    private final CountingStore usage = new CountingStore("usage", null);
    private final AtomicInteger reminders = new AtomicInteger();
    private final PolicySet policies = Policies.all(all -> all.maxAge(Limit.NONE));
    private final EventStore store = new EventStore(
            events,
            usage,
            TerminalStatuses.DEFAULT,
            Graves.DEFAULT_RETENTION,
            () -> Long.MAX_VALUE,
            reminders::incrementAndGet);

    @BeforeEach
    void open() {
        usage.whileReadingAll(() -> store.open(policies));
    }

    @ParameterizedTest
    @CsvSource({"99, 2", "100, 4", "101, 4"})
    void shouldSaveABurstOnceInATenthOfASecond(long afterMs, long seen) {
        // given
        put(event("a/1", "1"), T0);
        put(event("a/1", "2"), T0);

        // when
        put(event("a/1", "3"), T0 + 1);
        put(event("a/1", "4"), T0 + afterMs);

        // then
        assertThat(saved("a/1").events()).isEqualTo(seen);
    }

    @Test
    void shouldAskForACallBeforeTheCommitAndSaveThenWhatIsLeft() {
        // given
        put(event("a/1", "1"), T0);
        put(event("b/1", "1").execution(7), T0);
        put(event("a/1", "2"), T0);
        assertThat(reminders).as("for the totals of the namespaces").hasValue(1);
        store.saveUsage();

        // when
        put(event("a/1", "3"), T0 + 2);
        put(event("b/1", "2").execution(7), T0 + 2);

        // then: for the totals and for the streams
        assertThat(reminders).hasValue(3);
        assertThat(saved("a/1").events()).isEqualTo(2);
        assertThat(saved("b/1").events()).isEqualTo(1);
        store.saveUsage();
        assertThat(saved("a/1").events()).isEqualTo(3);
        assertThat(saved("b/1").events()).isEqualTo(2);
        put(event("a/1", "4"), T0 + 3);
        assertThat(reminders).hasValue(5);
        assertThat(problemsAfterTheCommit()).isEmpty();
    }

    @Test
    void shouldSaveAtOnceWhatAReaderCouldNotFindOtherwise() {
        // given
        put(event("a/1", "1"), T0);
        put(event("a/1", "2"), T0);

        // when
        put(event("new/1", "1"), T0 + 1);
        put(event("a/1", "1").status("running"), T0 + 2);

        // then
        assertThat(saved("new/1").events()).isEqualTo(1);
        assertThat(saved("a/1").protectedEvents()).isEqualTo(1);
    }

    @Test
    void shouldSaveAtOnceAfterTheClockHasGoneBack() {
        // given
        put(event("a/1", "1"), T0);
        put(event("a/1", "2"), T0);

        // when
        put(event("a/1", "3"), T0 - 1);

        // then
        assertThat(saved("a/1").events()).isEqualTo(3);
    }

    @Test
    void shouldNotBringBackAStreamThatIsGone() {
        // given
        put(event("a/1", "1").execution(3), T0);
        put(event("a/1", "2"), T0);
        put(event("a/1", "3").execution(3), T0 + 1);

        // when
        store.retire(
                store.stream(new StreamName("a/1")),
                RemovalCause.DELETE,
                Origin.ofCommand("command", "tester", "a test", "0/1"),
                T0);

        // then
        assertThat(problemsAfterTheCommit()).isEmpty();
        assertThat(new ReadOnlyEventStore(events, usage).usage(new StreamName("a/1")))
                .isEmpty();
    }

    private List<String> problemsAfterTheCommit() {
        store.saveUsage();
        List<String> problems = new ArrayList<>();
        events.whileReadingAll(
                () -> usage.whileReadingAll(() -> problems.addAll(StoreCheck.problems(events.all(), usage.all()))));
        return problems;
    }

    private StreamUsage saved(String stream) {
        return new ReadOnlyEventStore(events, usage)
                .usage(new StreamName(stream))
                .orElseThrow();
    }

    private void put(EventBuilder event, long nowMs) {
        store.put(store.prepare(event.build(), nowMs, nowMs, policies), policies);
    }
}
