package dev.ebb.runtime.sources;

import dev.ebb.domain.command.Errand;
import dev.ebb.domain.source.Source;
import dev.ebb.serde.text.JsonState;
import dev.ebb.topology.source.SourceMark;
import dev.ebb.topology.wire.ErrandBodies.LogRaised;
import dev.ebb.topology.wire.ErrandBodies.SourceReset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends marks of logs to the partitions of the events, and raises of their starts to the audit (F-8). Each method returns
 * when the broker has all records, and throws a {@link KafkaException} if it does not take them. Thread-safe.
 */
public final class SourceMarks implements AutoCloseable {

    private final SourceParts parts;
    private @Nullable Producer<byte[], byte[]> producer;

    public SourceMarks(SourceParts parts) {
        this.parts = parts;
    }

    /** Sends the mark to each partition of the events. */
    void send(SourceMark mark) {
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int partition = 0; partition < parts.topics().partitions(); partition++) {
            records.add(new ProducerRecord<>(parts.topics().events(), partition, SourceMark.KEY, null, mark.headers()));
        }
        send(records);
    }

    /**
     * Tells that records of a log are passed over from these offsets on, or read again; says nothing about a table, or
     * without offsets.
     */
    void send(SourceMark.Step step, Source source, String topicId, Map<Integer, Long> offsets) {
        if (!source.isTable() && !offsets.isEmpty()) {
            send(SourceMark.of(step, source.name(), topicId, offsets));
        }
    }

    /** Writes into the audit that starts are about to move. */
    void tell(List<LogRaised> raises) {
        send(raises.stream()
                .map(raise -> toGate("raise-", Errand.Step.LOG_RAISED, raise))
                .toList());
    }

    /** Writes into the audit that the place of a source is about to move. */
    void tell(SourceReset reset) {
        send(List.of(toGate("reset-", Errand.Step.SOURCE_RESET, reset)));
    }

    private ProducerRecord<byte[], byte[]> toGate(String prefix, Errand.Step step, Object body) {
        Errand errand = new Errand(prefix + UUID.randomUUID(), step, 0, JsonState.write(body));
        return new ProducerRecord<>(
                parts.topics().assessments(), 0, SourceMark.KEY, parts.writer().errand(errand));
    }

    private synchronized void send(List<ProducerRecord<byte[], byte[]>> records) {
        if (producer == null) {
            producer = parts.clients().impatientProducer("sources");
        }
        List<Future<?>> sent = new ArrayList<>();
        for (ProducerRecord<byte[], byte[]> record : records) {
            sent.add(producer.send(record));
        }
        for (Future<?> one : sent) {
            try {
                one.get();
            } catch (InterruptedException e) {
                throw new InterruptException(e);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
            }
        }
    }

    @Override
    public synchronized void close() {
        if (producer != null) {
            producer.close();
        }
    }
}
