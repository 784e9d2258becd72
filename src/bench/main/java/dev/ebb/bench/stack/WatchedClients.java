package dev.ebb.bench.stack;

import dev.ebb.runtime.streams.ChangelogProducer;
import dev.ebb.runtime.streams.StreamThreadConsumer;
import dev.ebb.runtime.streams.StreamsClients;
import dev.ebb.store.rocks.CommittedOffsets;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Topics;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;

/** The clients of an instance; those of its stream threads report their calls. */
final class WatchedClients extends StreamsClients {

    private final ThreadWatch watch;
    private final UnaryOperator<Duration> pollWait;

    /** @param pollWait returns the time that a poll waits, from the requested time; called on stream threads */
    WatchedClients(
            RecordLimits limits,
            CommittedOffsets offsets,
            Topics topics,
            ThreadWatch watch,
            UnaryOperator<Duration> pollWait) {
        super(limits, offsets, topics);
        this.watch = watch;
        this.pollWait = pollWait;
    }

    @Override
    public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
        return new WatchedProducer(config, offsets(), watch);
    }

    @Override
    public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
        return patient(new WatchedConsumer(config, this, watch, pollWait));
    }

    private static final class WatchedConsumer extends StreamThreadConsumer {

        private final ThreadWatch watch;
        private final UnaryOperator<Duration> pollWait;

        WatchedConsumer(
                Map<String, Object> config,
                WatchedClients clients,
                ThreadWatch watch,
                UnaryOperator<Duration> pollWait) {
            super(config, clients.limits(), clients.eventTopics());
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

        WatchedProducer(Map<String, Object> config, CommittedOffsets offsets, ThreadWatch watch) {
            super(config, offsets);
            this.watch = watch;
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
