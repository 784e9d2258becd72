package dev.ebb.store;

import static dev.ebb.model.EventBuilder.event;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.model.Policies;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.StaleWork;
import dev.ebb.store.forecast.RearrangedForecast;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoreNames;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.read.ReadOnlyView;
import dev.ebb.store.rocks.Derivation;
import dev.ebb.store.rocks.RocksStores;
import dev.ebb.store.state.EventTotals;
import dev.ebb.store.state.Graves;
import dev.ebb.store.state.Heads;
import dev.ebb.store.state.NamespaceCounts;
import dev.ebb.store.state.StreamState;
import java.io.File;
import java.util.EnumMap;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.stream.LongStream;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Foretells in a process of its own, whose heap says how much may be remembered, what a new anchor would do to one stream
 * of many events: {@code LargeStream <events> <folder>} of events that are stored in that folder, without a folder of events
 * that are made when they are read. Prints how long it took, and fails if it counted wrong.
 */
final class LargeStream {

    private static final StreamName STREAM = new StreamName("large/1");
    private static final long T0 = 1_800_000_000_000L;
    private static final long KEEP = 100_000;
    private static final long SLICE_NANOS = 8_000_000;

    /** Shares no divisor with any power of ten, so that the producers' times are each another one. */
    private static final long STRIDE = 7_368_787;

    private final long events;
    private long slices;
    private long longestNanos;

    private LargeStream(long events) {
        this.events = events;
    }

    public static void main(String[] args) {
        LargeStream large = new LargeStream(Long.parseLong(args[0]));
        if (args.length == 1) {
            ReadOnlyView made = large.made();
            large.check(large.state(), new EventTable(made, new NamespaceCounts(), new StaleWork(made)));
        } else {
            large.store(new File(args[1]));
        }
    }

    private ReadOnlyView made() {
        return new ReadOnlyView(new MadeEvents());
    }

    private void store(File folder) {
        try (RocksStores stores = new RocksStores(folder)) {
            KeyValueStore<Bytes, byte[]> eventBytes = stores.open(StoreNames.EVENTS, EventStore.indexes());
            KeyValueStore<Bytes, byte[]> usage = stores.open("usage", Derivation.NONE);
            EventStore store = new EventStore(
                    eventBytes,
                    usage,
                    TerminalStatuses.DEFAULT,
                    Graves.DEFAULT_RETENTION,
                    () -> Long.MAX_VALUE,
                    () -> {});
            var policies = Policies.setOf();
            store.open(policies);
            for (long seq = 0; seq < events; seq++) {
                var made = event(STREAM.value(), "e" + seq)
                        .occurredAt(occurredAt(seq))
                        .build();
                store.put(store.prepare(made, T0, T0, policies), policies);
            }
            StaleWork stale = new StaleWork(eventBytes);
            check(store.stream(STREAM), new EventTable(eventBytes, new NamespaceCounts(), stale));
        }
    }

    private long occurredAt(long seq) {
        return T0 - (seq * STRIDE) % events;
    }

    /** Each of them is foretold under all its kinds of limits. */
    private void check(StreamState stream, EventTable table) {
        long half = events / 2;
        check("age", stream, table, policy().maxAge(Limit.of(half)), Map.of(RemovalCause.MAX_AGE, events - half - 1));
        check(
                "age, keepLast",
                stream,
                table,
                policy().maxAge(Limit.of(1)).set(PolicyField.KEEP_LAST, Limit.of(KEEP)),
                Map.of(RemovalCause.MAX_AGE, events - KEEP));
        check("count", stream, table, policy().maxCount(Limit.of(KEEP)), Map.of(RemovalCause.MAX_COUNT, events - KEEP));
        check(
                "age, count, keepLast",
                stream,
                table,
                policy().maxAge(Limit.of(half)).maxCount(Limit.of(1)).set(PolicyField.KEEP_LAST, Limit.of(KEEP)),
                Map.of(RemovalCause.MAX_AGE, events - half - 1, RemovalCause.MAX_COUNT, half + 1 - KEEP));
    }

    private static RetentionPolicy.Builder policy() {
        return RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED);
    }

    private void check(
            String name,
            StreamState stream,
            EventTable table,
            RetentionPolicy.Builder policy,
            Map<RemovalCause, Long> expected) {
        EffectivePolicy effective = Policies.setOf(policy.build()).effective(STREAM);
        StreamState shadow = stream.shadow();
        shadow.setPolicy(effective, false);
        RearrangedForecast forecast = new RearrangedForecast(table, stream, shadow, T0);
        Map<RemovalCause, Long> found = new EnumMap<>(RemovalCause.class);
        slices = 0;
        longestNanos = 0;
        long begin = System.nanoTime();
        while (!step(forecast, found)) {
            slices++;
        }
        long nanos = System.nanoTime() - begin;
        if (!found.equals(expected)) {
            throw new AssertionError(name + ": expected " + expected + " but was " + found);
        }
        System.out.printf(
                "%s: %d events, %.1f s in %d slices, the longest %.1f ms, heap of at most %d MiB%n",
                name,
                events,
                nanos / 1e9,
                slices + 1,
                longestNanos / 1e6,
                Runtime.getRuntime().maxMemory() >> 20);
    }

    private boolean step(StreamForecast forecast, Map<RemovalCause, Long> found) {
        long begin = System.nanoTime();
        boolean isDone = forecast.step(
                new SweepBudget(Integer.MAX_VALUE, SLICE_NANOS, System::nanoTime),
                (state, gone) -> found.merge(gone.cause(), 1L, Long::sum));
        longestNanos = Math.max(longestNanos, System.nanoTime() - begin);
        return isDone;
    }

    private StreamState state() {
        EffectivePolicy policy = Policies.setOf().effective(STREAM);
        StreamState state = new StreamState(STREAM, 1, policy, Arrangement.of(policy, 0));
        long bytes = header(0).sizeBytes();
        EventTotals totals = new EventTotals();
        totals.add(Range.ORDERED, events, events * bytes);
        state.root().recounted(totals, new Heads());
        LongStream.of(0, events - 1)
                .mapToObj(seq -> new Location(Range.ORDERED, position(seq), Location.NO_DUE, bytes))
                .forEach(state.root().heads()::include);
        return state;
    }

    private EventHeader header(long seq) {
        return StoredEventCodec.decodeHeader(value(seq));
    }

    private byte[] value(long seq) {
        var made = event(STREAM.value(), "e" + seq)
                .occurredAt(occurredAt(seq))
                .completedAt(T0)
                .build();
        return StoredEventCodec.encode(new StoredEvent(made, T0, seq, false), 100);
    }

    private static Position position(long seq) {
        return new Position(0, T0, seq);
    }

    /** All of them in the order in which they were stored; nothing else can be read. */
    private final class MadeEvents implements ReadOnlyKeyValueStore<Bytes, byte[]> {

        @Override
        public byte[] get(Bytes key) {
            throw new UnsupportedOperationException();
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> range(Bytes from, Bytes to) {
            return from.get()[0] == Range.ORDERED.code()
                    ? new Made(EventKeys.positionOf(from).seq() + (from.compareTo(keyOf(from)) > 0 ? 1 : 0))
                    : new Made(events);
        }

        private Bytes keyOf(Bytes from) {
            return EventKeys.positional(Range.ORDERED, 1, EventKeys.positionOf(from));
        }

        @Override
        public KeyValueIterator<Bytes, byte[]> all() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long approximateNumEntries() {
            return events;
        }
    }

    private final class Made implements KeyValueIterator<Bytes, byte[]> {

        private long seq;

        Made(long seq) {
            this.seq = seq;
        }

        @Override
        public boolean hasNext() {
            return seq < events;
        }

        @Override
        public KeyValue<Bytes, byte[]> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            Bytes key = peekNextKey();
            return KeyValue.pair(key, value(seq++));
        }

        @Override
        public Bytes peekNextKey() {
            return EventKeys.positional(Range.ORDERED, 1, position(seq));
        }

        @Override
        public void close() {}
    }
}
