package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import java.time.Duration;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Keeps events and an index of their times, and expires due events in bounded slices: one slice in each period, and
 * slices without a break while any are left. Each look reads the limit, so a new limit holds from the next look on.
 */
final class ExpiryIndexProcessor implements Processor<byte[], byte[], RowKey, byte[]> {

    private static final Duration PERIOD_WITH_WORK = Duration.ofMillis(1);

    private final RecordReader reader;
    private final ExpiryIndexTopology.Settings settings;
    private final Taken taken;
    private final EventRows rows;
    private @Nullable ProcessorContext<RowKey, byte[]> context;
    private @Nullable KeyValueStore<Bytes, byte[]> events;
    private @Nullable ExpiryIndex index;
    private @Nullable Cancellable work;

    ExpiryIndexProcessor(RecordReader reader, EventRows rows, ExpiryIndexTopology.Settings settings, Taken taken) {
        this.reader = reader;
        this.rows = rows;
        this.settings = settings;
        this.taken = taken;
    }

    @Override
    public void init(ProcessorContext<RowKey, byte[]> newContext) {
        context = newContext;
        events = newContext.getStateStore(ExpiryIndexTopology.EVENTS);
        index = new ExpiryIndex(newContext.getStateStore(ExpiryIndexTopology.INDEX));
        newContext.schedule(settings.period(), PunctuationType.WALL_CLOCK_TIME, this::tick);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        ProcessorContext<RowKey, byte[]> current = Objects.requireNonNull(context);
        RecordMetadata metadata = current.recordMetadata().orElseThrow();
        taken.taken(metadata.partition(), metadata.offset());
        if (reader.read(metadata.topic(), record.headers(), record.value()) instanceof Decoded.OfEvent decoded) {
            long storedAtMs = put(decoded.event(), record, current.currentSystemTimeMs());
            current.forward(rows.row(decoded.event(), record.timestamp(), storedAtMs, metadata.partition()));
        } else {
            throw new IllegalStateException("the input holds something that is no event");
        }
    }

    /** Returns the time at which the event was first stored. */
    private long put(Event event, Record<byte[], byte[]> record, long nowMs) {
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
        settings.expiries().sliceBegun();
        boolean hasWork = !expireDue(nowMs, settings.slices().begin(this));
        settings.slices().end(this, hasWork);
        goOn(hasWork);
        settings.expiries().sliceEnded();
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
        ProcessorContext<RowKey, byte[]> current = Objects.requireNonNull(context);
        Objects.requireNonNull(events).delete(key);
        current.forward(rows.tombstone(key, storedAtMs, nowMs, current.taskId().partition()));
        settings.expiries().expired();
    }

    private void goOn(boolean hasWork) {
        if (work != null && !hasWork) {
            work.cancel();
            work = null;
        } else if (work == null && hasWork) {
            work = Objects.requireNonNull(context)
                    .schedule(PERIOD_WITH_WORK, PunctuationType.WALL_CLOCK_TIME, this::tick);
        }
    }

    @Override
    public void close() {
        settings.slices().leave(this);
    }
}
