package dev.ebb.runtime.trash;

import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.trash.TrashSource;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * The trash on its topic. Thread-safe.
 *
 * @param topic its name
 * @param readers makes a consumer of committed records; connects
 */
public record KafkaTrash(String topic, Supplier<Consumer<byte[], byte[]>> readers) implements TrashSource {

    @Override
    public Reading read(int partition, UndoFilter filter, String undoId) {
        TrashReading reading = new TrashReading(new TopicPartition(topic, partition), filter, undoId);
        reading.start(readers);
        return reading;
    }
}
