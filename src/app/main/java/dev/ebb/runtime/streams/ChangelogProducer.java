package dev.ebb.runtime.streams;

import dev.ebb.store.rocks.CommittedOffsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The producer of a stream thread. After the commit of a transaction it reports to the stores up to which offsets their
 * changelogs are committed, and without transactions after each flush: the thread that writes to a store sends the records of its changelog in the same order, and
 * a commit waits for all of them.
 */
public class ChangelogProducer extends StreamThreadProducer {

    private static final String CHANGELOG_SUFFIX = "-changelog";

    private final CommittedOffsets offsets;

    /** The last record of each changelog in the current transaction, by topic and partition. */
    private final Map<String, Map<Integer, Future<RecordMetadata>>> last = new HashMap<>();

    private boolean isTransactional;

    /** @param offsets receives the committed offsets */
    public ChangelogProducer(Map<String, Object> config, CommittedOffsets offsets) {
        super(config);
        this.offsets = offsets;
    }

    @Override
    public void beginTransaction() {
        isTransactional = true;
        last.clear();
        super.beginTransaction();
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
        Future<RecordMetadata> sent = super.send(record, callback);
        String topic = record.topic();
        if (topic.endsWith(CHANGELOG_SUFFIX)) {
            last.computeIfAbsent(topic, name -> new HashMap<>()).put(record.partition(), sent);
        }
        return sent;
    }

    @Override
    public void commitTransaction() {
        super.commitTransaction();
        reportAll();
    }

    /** Without transactions, a commit flushes, and all that was sent before counts as committed. */
    @Override
    public void flush() {
        super.flush();
        if (!isTransactional) {
            reportAll();
        }
    }

    private void reportAll() {
        last.forEach((topic, records) ->
                records.forEach((partition, record) -> committed(new TopicPartition(topic, partition), record)));
        last.clear();
    }

    /** A record that was sent twice may lack its offset; the next transaction reports a later one. */
    private void committed(TopicPartition changelog, Future<RecordMetadata> record) {
        try {
            RecordMetadata metadata = record.get();
            if (metadata.hasOffset()) {
                offsets.committed(changelog, metadata.offset());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a record that could not be sent was committed", e);
        }
    }
}
