package dev.ebb.runtime.kafka;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The records of a partition between two offsets.
 *
 * @param partition the partition
 * @param from the first offset
 * @param to the offset behind the last; offsets without a record count as read
 */
public record LogSpan(TopicPartition partition, long from, long to) {

    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * Shows all of these records to the visitor, in their order.
     *
     * @param reader has the partition assigned; left open, behind the span
     * @throws TimeoutException if nothing came for 30 s, since a poll alone never says that the broker is away
     */
    public void read(
            Consumer<byte[], byte[]> reader, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
        read(reader, visitor, System::nanoTime);
    }

    void read(
            Consumer<byte[], byte[]> reader,
            java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor,
            LongSupplier nanoTime) {
        reader.seek(partition, from);
        long lastMove = nanoTime.getAsLong();
        for (long position = from; position < to; ) {
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(POLL)) {
                if (record.offset() < to) {
                    visitor.accept(record);
                }
            }
            long before = position;
            position = reader.position(partition);
            if (position > before) {
                lastMove = nanoTime.getAsLong();
            } else if (nanoTime.getAsLong() - lastMove > PATIENCE.toNanos()) {
                throw new TimeoutException("no records of " + partition + " came for " + PATIENCE.toSeconds() + " s");
            }
        }
    }
}
