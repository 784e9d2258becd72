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
 * The producer of a stream thread. When it has committed a transaction it tells the stores up to which offsets their
 * changelogs are committed: the records of a changelog are sent in the order in which the store has taken them, by the
 * thread that writes to it, and a commit waits for all of them.
 */
public class ChangelogProducer extends StreamThreadProducer {

    private static final String CHANGELOG_SUFFIX = "-changelog";

    private final CommittedOffsets offsets;

    /** The last record of each changelog, by topic and partition, in the transaction that is under way. */
    private final Map<String, Map<Integer, Future<RecordMetadata>>> last = new HashMap<>();

    /** @param offsets takes the committed offsets */
    public ChangelogProducer(Map<String, Object> config, CommittedOffsets offsets) {
        super(config);
        this.offsets = offsets;
    }

    @Override
    public void beginTransaction() {
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
        last.forEach((topic, records) ->
                records.forEach((partition, record) -> committed(new TopicPartition(topic, partition), record)));
        last.clear();
    }

    /** A record that was sent twice may come without its offset; the next transaction tells a later one. */
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
