package dev.ebb.undo;

import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.topology.trash.TrashGuard;
import dev.ebb.topology.trash.TrashSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The trash on its topic. Thread-safe. */
public final class KafkaTrash implements TrashSource {

    private final String topic;
    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final LongSupplier nanoTime;
    private final Map<Integer, Supplier<TrashGuard>> seals = new ConcurrentHashMap<>();

    /** The last audit that has begun; null if there was none. */
    private @Nullable TrashAuditing auditing;

    /**
     * @param topic name of the topic
     * @param readers creates a consumer of committed records; connects
     */
    public KafkaTrash(String topic, Supplier<Consumer<byte[], byte[]>> readers) {
        this(topic, readers, System::nanoTime);
    }

    /** @param nanoTime a clock that never jumps */
    KafkaTrash(String topic, Supplier<Consumer<byte[], byte[]>> readers, LongSupplier nanoTime) {
        this.topic = topic;
        this.readers = readers;
        this.nanoTime = nanoTime;
    }

    @Override
    public Reading read(int partition, UndoFilter filter, String undoId, TrashGuard guard) {
        TrashReading reading = new TrashReading(new TopicPartition(topic, partition), filter, undoId, guard);
        reading.start(readers);
        return reading;
    }

    /** One partition after the other: at a start all of them may have to be read. */
    @Override
    public synchronized @Nullable Audit audit(int partition, TrashGuard guard, long lastHead) {
        if (auditing != null && !auditing.isOver()) {
            return null;
        }
        TrashAuditing audit = new TrashAuditing(new TopicPartition(topic, partition), guard, lastHead, nanoTime);
        audit.start(readers);
        auditing = audit;
        return audit;
    }

    @Override
    public void opened(int partition, Supplier<TrashGuard> guards) {
        seals.put(partition, guards);
    }

    /** Returns a guard that knows the seals of the partition; null if no task of the partition has run here. */
    public @Nullable TrashGuard seals(int partition) {
        Supplier<TrashGuard> guards = seals.get(partition);
        return guards == null ? null : guards.get();
    }
}
