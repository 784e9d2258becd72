package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.KeepEverythingTopology.RowKey;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Stores the record as it came, under stream and id, and sends the row of its event on. */
final class KeepEverythingProcessor implements Processor<byte[], byte[], RowKey, byte[]> {

    private final RecordReader reader;
    private final MirrorRows rows;
    private final DrainWatch watch;
    private @Nullable ProcessorContext<RowKey, byte[]> context;
    private @Nullable KeyValueStore<Bytes, byte[]> store;

    KeepEverythingProcessor(RecordReader reader, MirrorRows rows, DrainWatch watch) {
        this.reader = reader;
        this.rows = rows;
        this.watch = watch;
    }

    @Override
    public void init(ProcessorContext<RowKey, byte[]> newContext) {
        context = newContext;
        store = newContext.getStateStore(KeepEverythingTopology.STORE);
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        ProcessorContext<RowKey, byte[]> current = Objects.requireNonNull(context);
        RecordMetadata metadata = current.recordMetadata().orElseThrow();
        watch.taken(metadata.partition(), metadata.offset());
        if (reader.read(metadata.topic(), record.headers(), record.value()) instanceof Decoded.OfEvent decoded) {
            Event event = decoded.event();
            Objects.requireNonNull(store).put(keyOf(event), record.value());
            current.forward(
                    row(stored(event, record.timestamp(), current.currentSystemTimeMs()), metadata, record),
                    KeepEverythingTopology.SINK);
        } else {
            throw new IllegalStateException("the input holds something that is no event");
        }
    }

    private Record<RowKey, byte[]> row(StoredEvent stored, RecordMetadata metadata, Record<byte[], byte[]> record) {
        Event event = stored.event();
        byte[] key = rows.eventKey(
                stored.storedAt(), event.stream().value(), event.id().value());
        return new Record<>(new RowKey(key, metadata.partition()), rows.eventRow(stored), record.timestamp());
    }

    private static Bytes keyOf(Event event) {
        return Bytes.wrap((event.stream().value() + '\0' + event.id().value()).getBytes(StandardCharsets.UTF_8));
    }

    /** The event with the times that its row shows. */
    private static StoredEvent stored(Event event, long timestampMs, long nowMs) {
        boolean isProtected = !TerminalStatuses.DEFAULT.isTerminal(event.status());
        Event complete = new Event(
                event.stream(),
                event.id(),
                event.type(),
                event.status(),
                event.occurredAt() == null ? (Long) timestampMs : event.occurredAt(),
                isProtected ? null : (Long) timestampMs,
                event.ttl(),
                event.execution(),
                event.correlationId(),
                event.metadata(),
                event.contentType(),
                event.payload());
        return new StoredEvent(complete, nowMs, 0, isProtected);
    }
}
