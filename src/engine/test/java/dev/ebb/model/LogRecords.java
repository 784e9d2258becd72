package dev.ebb.model;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.gather.ChangeLog;
import dev.ebb.store.layout.RunWriter;
import dev.ebb.store.layout.StoredEventCodec;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.clients.producer.ProducerRecord;
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

    private static byte[] value(StoredEvent event) {
        return StoredEventCodec.encode(event, event.sizeBytes());
    }

    private static RecordHeaders headers(StoredEvent event) {
        RecordHeaders headers = new RecordHeaders();
        headers.add(ChangeLog.STREAM, event.event().stream().value().getBytes(StandardCharsets.UTF_8));
        return headers;
    }
}
