package dev.ebb.model;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.store.gather.ChangeLog;
import dev.ebb.store.layout.RunReader;
import dev.ebb.store.layout.RunWriter;
import dev.ebb.store.layout.StoredEventCodec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;

/** Records of the log of the events as a sink finds them; their keys belong to no store. Stateless. */
public final class LogRecords {

    private static final Bytes KEY = Bytes.wrap(new byte[] {'O', 0, 0, 0, 1, 0});

    private LogRecords() {}

    /** An event that is new or has changed. */
    public static ProducerRecord<byte[], byte[]> put(String topic, int partition, StoredEvent event) {
        return new ProducerRecord<>(topic, partition, null, KEY.get(), value(event), headers(event));
    }

    /** An event that the log has had as it is. */
    public static ProducerRecord<byte[], byte[]> known(String topic, int partition, StoredEvent event) {
        RecordHeaders headers = headers(event);
        headers.add(ChangeLog.KNOWN, new byte[0]);
        return new ProducerRecord<>(topic, partition, null, KEY.get(), value(event), headers);
    }

    /** The removal of events of a stream, each with that time of its arrival. */
    public static ProducerRecord<byte[], byte[]> removal(
            String topic, int partition, StreamName stream, long storedAt, String... ids) {
        RunWriter run = new RunWriter();
        for (String id : ids) {
            run.add(stream, KEY, storedAt, id);
        }
        byte[] key = run.key();
        return new ProducerRecord<>(topic, partition, key, run.take());
    }

    /**
     * Changes a table of rows by a record of the log, as the sink does.
     *
     * @return the keys of the rows that the record concerns
     */
    public static List<Bytes> apply(
            byte[] key, byte[] value, Headers headers, MirrorRows rows, Map<Bytes, byte[]> table) {
        Header stream = headers.lastHeader(ChangeLog.STREAM);
        List<Bytes> changed = new ArrayList<>();
        if (RunReader.isRun(key)) {
            RunReader.read(value, new RunReader.Visitor() {
                @Override
                public void removed(String of, byte[] removed, long storedAt, byte[] id) {
                    if (!of.isEmpty()) {
                        changed.add(rowKey(rows, Instant.ofEpochMilli(storedAt), of, id));
                    }
                }

                @Override
                public void rowRemoved(String of, long micros, byte[] id) {
                    changed.add(rowKey(rows, Instant.EPOCH.plus(micros, ChronoUnit.MICROS), of, id));
                }
            });
            changed.forEach(table::remove);
        } else if (stream != null) {
            StreamName name = new StreamName(new String(stream.value(), StandardCharsets.UTF_8));
            StoredEvent event = StoredEventCodec.decode(name, value);
            byte[] id = event.event().id().value().getBytes(StandardCharsets.UTF_8);
            Bytes row = rowKey(rows, Instant.ofEpochMilli(event.storedAt()), name.value(), id);
            if (headers.lastHeader(ChangeLog.KNOWN) == null) {
                table.put(row, rows.eventRow(event));
            } else {
                table.putIfAbsent(row, rows.eventRow(event));
            }
            changed.add(row);
        }
        return changed;
    }

    private static Bytes rowKey(MirrorRows rows, Instant storedAt, String stream, byte[] id) {
        return Bytes.wrap(rows.eventKey(storedAt, stream, new String(id, StandardCharsets.UTF_8)));
    }

    private static byte[] value(StoredEvent event) {
        return StoredEventCodec.encode(event, event.sizeBytes());
    }

    private static RecordHeaders headers(StoredEvent event) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(ChangeLog.STREAM, event.event().stream().value().getBytes(StandardCharsets.UTF_8));
        return headers;
    }
}
