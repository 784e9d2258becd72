package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Stores the original record, under stream and id, and passes on the row of its event. */
final class KeepEverythingProcessor implements Processor<byte[], byte[], RowKey, byte[]> {

    private final RecordReader reader;
    private final EventRows rows;
    private final DrainWatch watch;
    private @Nullable ProcessorContext<RowKey, byte[]> context;
    private @Nullable KeyValueStore<Bytes, byte[]> store;

    KeepEverythingProcessor(RecordReader reader, EventRows rows, DrainWatch watch) {
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
            Objects.requireNonNull(store).put(EventRows.keyOf(event), record.value());
            current.forward(rows.row(event, record.timestamp(), current.currentSystemTimeMs(), metadata.partition()));
        } else {
            throw new IllegalStateException("the input holds something that is no event");
        }
    }
}
