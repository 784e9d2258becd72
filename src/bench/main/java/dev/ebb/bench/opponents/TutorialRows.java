package dev.ebb.bench.opponents;

import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.RecordReader;
import java.util.Objects;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Sends the row of each change of a table of events. The key of a row is stream and id alone, so that a row replaces
 * its predecessor, and no store must be asked for the time of that one.
 */
final class TutorialRows implements Processor<byte[], byte[], byte[], byte[]> {

    private static final long ANY_TIME = 0;

    private final Way way;
    private @Nullable ProcessorContext<byte[], byte[]> context;

    TutorialRows(Way way) {
        this.way = way;
    }

    /**
     * The way of a row from event to topic.
     *
     * @param events the topic of the events
     * @param reader reads the events
     * @param rows writes rows
     * @param topic the topic of the rows
     */
    record Way(String events, RecordReader reader, EventRows rows, String topic) {}

    @Override
    public void init(ProcessorContext<byte[], byte[]> newContext) {
        context = newContext;
    }

    @Override
    public void process(Record<byte[], byte[]> change) {
        Record<EventRows.RowKey, byte[]> row = row(change);
        Objects.requireNonNull(context).forward(row.withKey(row.key().bytes()));
    }

    private Record<EventRows.RowKey, byte[]> row(Record<byte[], byte[]> change) {
        if (change.value() == null) {
            return way.rows().tombstone(Bytes.wrap(change.key()), ANY_TIME, change.timestamp(), 0);
        }
        if (way.reader().read(way.events(), new RecordHeaders(), change.value()) instanceof Decoded.OfEvent decoded) {
            return way.rows().row(decoded.event(), change.timestamp(), ANY_TIME, 0);
        }
        throw new IllegalStateException("the input holds something that is no event");
    }
}
