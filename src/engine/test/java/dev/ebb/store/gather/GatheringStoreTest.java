package dev.ebb.store.gather;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.EventBuilder;
import dev.ebb.model.Policies;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.RunReader;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.InMemoryStores;
import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.BatchingStateRestoreCallback;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Changelog of the events, transaction by transaction. */
@Tag("A-4")
class GatheringStoreTest {

    private static final long T0 = 1_800_000_000_000L;
    private static final PolicySet ONE_A_STREAM = Policies.all(all -> all.maxCount(Limit.of(1)));

    private final List<KeyValue<byte[], byte[]>> changelog = new ArrayList<>();
    private final List<BatchingStateRestoreCallback> callbacks = new ArrayList<>();
    private GatheringStore bytes = open(StreamsConfig.EXACTLY_ONCE_V2);
    private EventStore store;

    @BeforeEach
    void openEvents() {
        store = new EventStore(bytes, InMemoryStores.open("usage", Derivation.NONE), TerminalStatuses.DEFAULT);
        store.open(ONE_A_STREAM);
    }

    @Test
    @Tag("M-12")
    void shouldLogNothingOfAnEventThatACapPushesOutWithinItsTransaction() {
        put(event("a/1", "1"));
        put(event("a/1", "2"));
        enforceCaps();

        commit();

        assertThat(values()).containsExactly("value");
        assertThat(restored()).isEqualTo(1);
    }

    @Test
    @Tag("M-12")
    void shouldLogValueAndTombstoneOfAnEventThatACapPushesOutLater() {
        put(event("a/1", "1"));
        put(event("a/1", "2"));
        commit();
        enforceCaps();

        commit();

        assertThat(values()).containsExactly("value", "value", "run");
        assertThat(restored()).isEqualTo(1);
    }

    @Test
    @Tag("M-1")
    void shouldLogTheTombstoneOfAnOldEventThatIsReplacedAndDeleted() {
        put(event("a/1", "1"));
        commit();
        put(event("a/1", "1").type("changed"));
        put(event("a/1", "2"));
        enforceCaps();

        commit();

        assertThat(values()).containsExactly("value", "run", "value");
        assertThat(restored()).isEqualTo(1);
    }

    /** Its key is another one when it ends: where it waited nothing was ever written. */
    @Test
    @Tag("M-2")
    void shouldLogAnEventThatEndsWithinItsTransactionOnce() {
        put(event("a/1", "1").status("running"));
        put(event("a/1", "1").status("completed"));

        commit();

        assertThat(values()).containsExactly("value");
    }

    @Test
    void shouldLogAnUpsertOfTheTransactionOnce() {
        put(event("a/1", "1"));
        put(event("a/1", "1").type("changed"));

        commit();

        assertThat(values()).containsExactly("value");
    }

    @Test
    void shouldLogEachChangeAtOnceWithoutTransactions() {
        bytes = open(StreamsConfig.AT_LEAST_ONCE);
        openEvents();
        put(event("a/1", "1"));
        put(event("a/1", "2"));

        enforceCaps();

        assertThat(values()).containsExactly("value", "value", "run");
    }

    /** Kafka Streams clears the caches of a task that it recycles, and opens the store of a revived one again. */
    @Test
    @Tag("I-7")
    void shouldLogNothingOfATransactionThatWasAborted() {
        put(event("a/1", "1"));
        bytes.clearCache();
        commit();
        put(event("a/1", "2"));
        bytes.close();
        bytes.init(context(StreamsConfig.EXACTLY_ONCE_V2), bytes);

        commit();

        assertThat(changelog).isEmpty();
    }

    @Test
    void shouldLogAtTheCommitTheTimestampOfTheRecordThatChangedIt() {
        List<Long> timestamps = new ArrayList<>();
        GatheringStore timed =
                new GatheringStore(InMemoryStores.closed(StoreNames.EVENTS, EventStore.indexes()), Gathered.MAX_BYTES);
        StateStoreContext context = LoggingContext.of(
                mock(StreamsConfig.EXACTLY_ONCE_V2), callbacks::add, (key, value, ms) -> timestamps.add(ms));
        timed.init(context, timed);
        timed.put(Bytes.wrap(new byte[] {'K'}), new byte[] {1});
        assertThat(timestamps).isEmpty();

        timed.flushCache();

        assertThat(timestamps).containsExactly(LoggingContext.TIMESTAMP);
    }

    private void put(EventBuilder event) {
        store.put(store.prepare(event.build(), T0, T0, ONE_A_STREAM), ONE_A_STREAM);
    }

    private void enforceCaps() {
        store.removeOverCap(
                Objects.requireNonNull(store.stream(new StreamName("a/1"))),
                T0,
                new SweepBudget(100, Long.MAX_VALUE / 2, System::nanoTime),
                (stream, removed) -> {});
    }

    private void commit() {
        bytes.flushCache();
    }

    private List<String> values() {
        return changelog.stream()
                .map(record -> record.value == null ? "tombstone" : RunReader.isRun(record.key) ? "run" : "value")
                .toList();
    }

    /** Number of events in a store that is restored from the changelog, which must hold the same as this one. */
    private long restored() {
        GatheringStore other = open(StreamsConfig.EXACTLY_ONCE_V2);
        callbacks.get(callbacks.size() - 1).restoreAll(List.copyOf(changelog));
        assertThat(contents(other)).isEqualTo(contents(bytes));
        return contents(other).stream().filter(key -> key.startsWith("O")).count();
    }

    private static List<String> contents(GatheringStore store) {
        List<String> contents = new ArrayList<>();
        try (var all = store.all()) {
            all.forEachRemaining(entry -> contents.add(entry.key + "=" + Arrays.toString(entry.value)));
        }
        return contents;
    }

    private GatheringStore open(String guarantee) {
        GatheringStore opened =
                new GatheringStore(InMemoryStores.closed(StoreNames.EVENTS, EventStore.indexes()), Gathered.MAX_BYTES);
        opened.init(context(guarantee), opened);
        return opened;
    }

    private StateStoreContext context(String guarantee) {
        return LoggingContext.of(
                mock(guarantee), callbacks::add, (key, value, ms) -> changelog.add(KeyValue.pair(key, value)));
    }

    private static StateStoreContext mock(String guarantee) {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "test");
        settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1");
        settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, guarantee);
        return new MockProcessorContext<>(settings, new TaskId(0, 0), new File("unused")).getStateStoreContext();
    }
}
