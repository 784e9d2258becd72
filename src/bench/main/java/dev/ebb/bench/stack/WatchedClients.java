package dev.ebb.bench.stack;

import dev.ebb.runtime.streams.ChangelogProducer;
import dev.ebb.runtime.streams.StreamThreadConsumer;
import dev.ebb.runtime.streams.StreamsClients;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.topology.wire.RecordLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;

/** The clients of an instance; those of its stream threads report their calls. */
final class WatchedClients extends StreamsClients {

    private final ThreadWatch watch;
    private final UnaryOperator<Duration> pollWait;
    private final Set<String> withheld;

    /**
     * @param pollWait returns the time that a poll waits, from the requested time; called on stream threads
     * @param withheld topics to which nothing is sent
     */
    WatchedClients(
            RecordLimits limits,
            CommittedOffsets offsets,
            ThreadWatch watch,
            UnaryOperator<Duration> pollWait,
            Set<String> withheld) {
        super(limits, offsets);
        this.watch = watch;
        this.pollWait = pollWait;
        this.withheld = Set.copyOf(withheld);
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new WatchedProducer(config, offsets(), watch, withheld);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return patient(new WatchedConsumer(config, limits(), watch, pollWait));
    }

    private static final class WatchedConsumer extends StreamThreadConsumer {

        private final ThreadWatch watch;
        private final UnaryOperator<Duration> pollWait;

        WatchedConsumer(
                Map<String, Object> config, RecordLimits limits, ThreadWatch watch, UnaryOperator<Duration> pollWait) {
            super(config, limits);
            this.watch = watch;
            this.pollWait = pollWait;
        }

        @Override
        public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
            watch.polls(System.nanoTime());
            ConsumerRecords<byte[], byte[]> records = super.poll(pollWait.apply(timeout));
            watch.polled(System.nanoTime());
            return records;
        }
    }

    private static final class WatchedProducer extends ChangelogProducer {

        private final ThreadWatch watch;
        private final Set<String> withheld;

        WatchedProducer(Map<String, Object> config, CommittedOffsets offsets, ThreadWatch watch, Set<String> withheld) {
            super(config, offsets);
            this.watch = watch;
            this.withheld = withheld;
        }

        @Override
        public Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> record, Callback callback) {
            if (!withheld.contains(record.topic())) {
                return super.send(record, callback);
            }
            int partition = Objects.requireNonNullElse(record.partition(), 0);
            var metadata = new RecordMetadata(new TopicPartition(record.topic(), partition), 0, 0, 0, 0, 0);
            callback.onCompletion(metadata, null);
            return CompletableFuture.completedFuture(metadata);
        }

        @Override
        public void flush() {
            timed(super::flush);
        }

        @Override
        public void sendOffsetsToTransaction(
                Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
            timed(() -> super.sendOffsetsToTransaction(offsets, group));
        }

        @Override
        public void commitTransaction() {
            timed(super::commitTransaction);
        }

        private void timed(Runnable step) {
            long begin = System.nanoTime();
            step.run();
            watch.committed(System.nanoTime() - begin);
        }
    }
}
