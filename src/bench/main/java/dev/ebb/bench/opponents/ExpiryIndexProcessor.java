package dev.ebb.bench.opponents;

import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.records.RecordReader;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps events and an index of their times, and expires due events in bounded slices: one slice in each period, and
 * slices without a break while any are left. Each look reads the limit, so a new limit holds from the next look on.
 */
final class ExpiryIndexProcessor extends EventProcessor {

    static final String EVENTS = "by-identity";
    static final String INDEX = "by-time";
    static final List<String> STORES = List.of(EVENTS, INDEX);

    private static final Duration PERIOD_WITH_WORK = Duration.ofMillis(1);

    private final Settings settings;
    private @Nullable KeyValueStore<Bytes, byte[]> events;
    private @Nullable ExpiryIndex index;
    private @Nullable Cancellable work;

    ExpiryIndexProcessor(RecordReader reader, EventRows rows, Settings settings, Taken taken) {
        super(reader, rows, taken);
        this.settings = settings;
    }

    /**
     * Settings of the processors.
     *
     * @param maxAgeMs the limit, read in each slice
     * @param slices the time of the tasks of a thread
     * @param period time between two slices while nothing is due
     * @param expired called on stream threads for each event that expires
     * @param cpu takes the CPU time of slices
     */
    record Settings(LongSupplier maxAgeMs, SharedSlices slices, Duration period, Runnable expired, SliceCpu cpu) {}

    @Override
    public void init(ProcessorContext<RowKey, byte[]> newContext) {
        super.init(newContext);
        events = newContext.getStateStore(EVENTS);
        index = new ExpiryIndex(newContext.getStateStore(INDEX));
        newContext.schedule(settings.period(), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    long put(Event event, Record<byte[], byte[]> record, long nowMs) {
        KeyValueStore<Bytes, byte[]> store = Objects.requireNonNull(events);
        ExpiryIndex order = Objects.requireNonNull(index);
        Bytes key = EventRows.keyOf(event);
        IndexedEvent before = IndexedEvent.read(store.get(key));
        long storedAtMs = before == null ? nowMs : before.storedAtMs();
        IndexedEvent after = IndexedEvent.of(event, record.value(), record.timestamp(), storedAtMs);
        order.replace(key, before, after);
        store.put(key, after.write());
        return storedAtMs;
    }

    private void tick(long nowMs) {
        settings.cpu().asked();
        boolean hasWork = !expireDue(nowMs, settings.slices().begin(this));
        settings.slices().end(this, hasWork);
        goOn(hasWork);
        settings.cpu().ended();
    }

    /** Returns true if nothing is left. */
    private boolean expireDue(long nowMs, long endNanos) {
        ExpiryIndex order = Objects.requireNonNull(index);
        ExpiryIndex.Due due = (key, storedAtMs) -> expire(key, storedAtMs, nowMs);
        long tooOldMs = nowMs - settings.maxAgeMs().getAsLong();
        return order.expire(IndexedEvent.BY_ANCHOR, tooOldMs, endNanos, due)
                && order.expire(IndexedEvent.BY_END, nowMs, endNanos, due);
    }

    private void expire(Bytes key, long storedAtMs, long nowMs) {
        Objects.requireNonNull(events).delete(key);
        context()
                .forward(rows().tombstone(
                                key, storedAtMs, nowMs, context().taskId().partition()));
        settings.expired().run();
    }

    private void goOn(boolean hasWork) {
        if (work != null && !hasWork) {
            work.cancel();
            work = null;
        } else if (work == null && hasWork) {
            work = context().schedule(PERIOD_WITH_WORK, PunctuationType.WALL_CLOCK_TIME, this::tick);
        }
    }

    @Override
    public void close() {
        settings.slices().leave(this);
    }
}
