package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import java.util.Objects;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** Decodes each record, stores its event, and passes on the row of the event. */
abstract class EventProcessor implements Processor<byte[], byte[], RowKey, byte[]> {

    private final RecordReader reader;
    private final EventRows rows;
    private final Taken taken;
    private @Nullable ProcessorContext<RowKey, byte[]> context;

    /** @param taken takes the place of each record */
    EventProcessor(RecordReader reader, EventRows rows, Taken taken) {
        this.reader = reader;
        this.rows = rows;
        this.taken = taken;
    }

    @Override
    public void init(ProcessorContext<RowKey, byte[]> newContext) {
        context = newContext;
    }

    final ProcessorContext<RowKey, byte[]> context() {
        return Objects.requireNonNull(context);
    }

    final EventRows rows() {
        return rows;
    }

    @Override
    public void process(Record<byte[], byte[]> record) {
        RecordMetadata metadata = context().recordMetadata().orElseThrow();
        taken.taken(metadata.partition(), metadata.offset());
        if (reader.read(metadata.topic(), record.headers(), record.value()) instanceof Decoded.OfEvent decoded) {
            long storedAtMs = put(decoded.event(), record, context().currentSystemTimeMs());
            context().forward(rows.row(decoded.event(), record.timestamp(), storedAtMs, metadata.partition()));
        } else {
            throw new IllegalStateException("the input holds something that is no event");
        }
    }

    /** Stores the event, and returns the time at which it was first stored. */
    abstract long put(Event event, Record<byte[], byte[]> record, long nowMs);
}
