package dev.ebb.bench;

import dev.ebb.topology.Topics;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.jspecify.annotations.Nullable;

/** The topic of events, filled with a workload. Immutable. */
final class InputTopic {

    private final Workload workload;
    private final Contents expected;
    private final long[] lastOffsets;

    private InputTopic(Workload workload, long[] lastOffsets) {
        this.workload = workload;
        this.lastOffsets = lastOffsets;
        this.expected = Contents.expected(workload);
    }

    /** Makes the topics and fills this one. */
    static InputTopic fill(BenchStack stack, Workload workload) throws InterruptedException {
        stack.renewTopics();
        var sent = new Sent(stack.topics());
        try (Producer<byte[], byte[]> producer = stack.clients().producer()) {
            workload.generator().forEachRemaining(next -> {
                byte[] key = next.event().stream().value().getBytes(StandardCharsets.UTF_8);
                byte[] value = stack.records().event(next.event());
                var unused = producer.send(
                        new ProducerRecord<>(stack.topics().events(), null, next.timestampMs(), key, value),
                        sent::acknowledged);
            });
        }
        return new InputTopic(workload, sent.lastOffsets());
    }

    int records() {
        return workload.events();
    }

    /** What must be stored when all of it has been taken in. */
    Contents expected() {
        return expected;
    }

    /** The offset of the last record of each partition; -1 where there is none. */
    long[] lastOffsets() {
        return lastOffsets.clone();
    }

    /** What the broker has taken. */
    private static final class Sent {

        private final AtomicLongArray lastOffsets;
        private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();

        Sent(Topics topics) {
            lastOffsets = new AtomicLongArray(topics.partitions());
            IntStream.range(0, topics.partitions()).forEach(partition -> lastOffsets.set(partition, -1));
        }

        void acknowledged(RecordMetadata metadata, @Nullable Exception exception) {
            if (exception != null) {
                failure.compareAndSet(null, exception);
            } else {
                lastOffsets.accumulateAndGet(metadata.partition(), metadata.offset(), Math::max);
            }
        }

        long[] lastOffsets() {
            Exception first = failure.get();
            if (first != null) {
                throw new VoidRunException("the input cannot be sent: " + first.getMessage(), first);
            }
            return IntStream.range(0, lastOffsets.length())
                    .mapToLong(lastOffsets::get)
                    .toArray();
        }
    }
}
