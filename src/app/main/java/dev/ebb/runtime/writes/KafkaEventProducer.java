package dev.ebb.runtime.writes;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.ExecutionUpdate;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamRecord;
import dev.ebb.port.EventWriter;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.topology.wire.RecordLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;

/** Sends events and updates to the topic of events, keyed by their stream. Thread-safe. */
public record KafkaEventProducer(
        Producer<byte[], byte[]> producer, String topic, int maxBytes, RecordWriter writer, LongSupplier clock)
        implements EventWriter, AutoCloseable {

    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    /**
     * @param writer writes the records; must be prepared
     * @param clock the time of events to send, epoch milliseconds: the broker refuses records that are far ahead of it
     */
    public KafkaEventProducer(KafkaClients clients, EbbConfig config, RecordWriter writer, LongSupplier clock) {
        this(
                clients.impatientProducer("events"),
                TopicPlan.topics(config).events(),
                new RecordLimits(config.get(Settings.RECORD_MAX_BYTES)).eventBytes(),
                writer,
                clock);
    }

    @Override
    public void write(List<? extends StreamRecord> records) {
        List<ProducerRecord<byte[], byte[]>> out = new ArrayList<>();
        records.forEach(record -> out.add(record(record.stream(), bytes(record))));
        out.forEach(this::requireSize);
        sendAll(out);
    }

    @Override
    public void writeUpdate(EventUpdate update) {
        write(List.of(update));
    }

    @Override
    public void close() {
        producer.close(CLOSE_TIMEOUT);
    }

    private byte[] bytes(StreamRecord record) {
        if (record instanceof Event event) {
            return writer.event(event);
        }
        return record instanceof EventUpdate update
                ? writer.update(update)
                : writer.execution((ExecutionUpdate) record);
    }

    private void sendAll(List<ProducerRecord<byte[], byte[]>> records) {
        try {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            records.forEach(record -> sent.add(producer.send(record)));
            for (Future<RecordMetadata> future : sent) {
                future.get();
            }
        } catch (KafkaException | ExecutionException e) {
            throw new UnavailableException(
                    "the broker did not accept all of the events; send them again: each id counts once", e);
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        }
    }

    private ProducerRecord<byte[], byte[]> record(StreamName stream, byte[] value) {
        byte[] key = stream.value().getBytes(StandardCharsets.UTF_8);
        return new ProducerRecord<>(topic, null, clock.getAsLong(), key, value);
    }

    private void requireSize(ProducerRecord<byte[], byte[]> record) {
        int bytes = record.value().length;
        if (bytes > maxBytes) {
            throw new TooBigException("a record of stream " + new String(record.key(), StandardCharsets.UTF_8) + " has "
                    + bytes + " bytes; the limit is " + maxBytes);
        }
    }
}
