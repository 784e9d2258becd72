package dev.ebb.runtime.streams;

import dev.ebb.topology.fault.FailedRecords;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The producer of a stream thread. A transaction begins with its first content, so a transaction without content never
 * begins; see {@link TransactionNeed}.
 */
public class StreamThreadProducer extends KafkaProducer<byte[], byte[]> {

    private final TransactionNeed need = new TransactionNeed();
    private final FailedRecords failed;

    public StreamThreadProducer(Map<String, Object> config) {
        super(config, new ByteArraySerializer(), new ByteArraySerializer());
        this.failed = config.get(FailedRecords.SETTING) instanceof FailedRecords shared ? shared : new FailedRecords();
    }

    @Override
    public void beginTransaction() {
        need.asked();
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        beginIf(need.isToBegin());
        return super.send(record, failed.isTrash(record.topic()) ? watching(record.topic(), callback) : callback);
    }

    /** Kafka Streams calls no handler for a topic that may not be written. */
    private Callback watching(String topic, Callback callback) {
        return (metadata, failure) -> {
            if (failure != null && ProductionFailures.isOfTheTopic(topic, failure)) {
                failed.trashRefused();
            }
            callback.onCompletion(metadata, failure);
        };
    }

    @Override
    public void sendOffsetsToTransaction(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        if (need.ofOffsets(offsets, System.nanoTime())) {
            beginIf(need.isToBegin());
            super.sendOffsetsToTransaction(offsets, group);
        }
    }

    @Override
    public void commitTransaction() {
        if (need.isBegun()) {
            super.commitTransaction();
        }
        need.committed(System.nanoTime());
    }

    @Override
    public void abortTransaction() {
        if (need.isBegun()) {
            super.abortTransaction();
        }
        need.aborted();
    }

    private void beginIf(boolean isToBegin) {
        if (isToBegin) {
            super.beginTransaction();
            need.begun();
        }
    }
}
