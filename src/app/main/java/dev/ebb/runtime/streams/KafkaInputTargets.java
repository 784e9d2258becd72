package dev.ebb.runtime.streams;

import dev.ebb.runtime.kafka.LogTail;
import dev.ebb.runtime.kafka.StableOffsets;
import java.util.List;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Asks the broker, with one consumer for all requests, since creating a consumer takes longer than a request. */
public final class KafkaInputTargets implements InputTargets {

    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final Admin admin;
    private final String group;
    private @Nullable Consumer<byte[], byte[]> reader;

    public KafkaInputTargets(Supplier<Consumer<byte[], byte[]>> readers, Admin admin, String group) {
        this.readers = readers;
        this.admin = admin;
        this.group = group;
    }

    @Override
    public long lastUncommitted(TopicPartition partition) {
        return lastFrom(partition, committed(partition));
    }

    @Override
    public long last(TopicPartition partition) {
        return lastFrom(partition, 0);
    }

    @Override
    public void close() {
        Consumer<byte[], byte[]> open = reader;
        if (open != null) {
            open.close();
        }
    }

    private long lastFrom(TopicPartition partition, long from) {
        Consumer<byte[], byte[]> open = reader == null ? readers.get() : reader;
        reader = open;
        return new LogTail(open).lastRecord(partition, from).orElse(NONE);
    }

    /**
     * Returns the offset at which the task continues. Waits for an offset that an open transaction is about to commit:
     * an older one might put the target in front of it, where the task never passes.
     */
    private long committed(TopicPartition partition) {
        OffsetAndMetadata offset =
                StableOffsets.of(admin, group, List.of(partition)).get(partition);
        return offset == null ? 0 : offset.offset();
    }
}
