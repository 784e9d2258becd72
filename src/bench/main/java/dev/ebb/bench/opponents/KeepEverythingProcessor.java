package dev.ebb.bench.opponents;

import dev.ebb.bench.opponents.EventRows.RowKey;
import dev.ebb.bench.stack.AlwaysCaughtUp.Taken;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.records.RecordReader;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** Stores the original record under stream and id. */
final class KeepEverythingProcessor extends EventProcessor {

    static final String STORE = "everything";

    private @Nullable KeyValueStore<Bytes, byte[]> store;

    KeepEverythingProcessor(RecordReader reader, EventRows rows, Taken taken) {
        super(reader, rows, taken);
    }

    @Override
    public void init(ProcessorContext<RowKey, byte[]> newContext) {
        super.init(newContext);
        store = newContext.getStateStore(STORE);
    }

    @Override
    long put(Event event, Record<byte[], byte[]> record, long nowMs) {
        Objects.requireNonNull(store).put(EventRows.keyOf(event), record.value());
        return nowMs;
    }
}
