package dev.ebb.bench;

import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.StreamsSettings;
import dev.ebb.store.rocks.SharedMemory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/**
 * Lets an application that has never run drain the input, and looks whether it did. Each run has a name, state and
 * output topics of its own.
 */
final class Drain {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration DRAIN_LIMIT = Duration.ofMinutes(30);
    private static final Duration COMMIT_LIMIT = Duration.ofMinutes(1);
    private static final Duration CLOSE_LIMIT = Duration.ofMinutes(1);
    private static final long POLL_MS = 50;

    private final BenchStack stack;
    private final InputTopic input;
    private int runs;

    Drain(BenchStack stack, InputTopic input) {
        this.stack = stack;
        this.input = input;
    }

    /** @throws VoidRunException if it does not end, or not in what the model says */
    DrainResult run(Contender contender) throws InterruptedException {
        stack.renewTopics();
        runs++;
        EbbConfig config = stack.config("bench-" + contender.name() + "-" + runs);
        DrainWatch watch = new DrainWatch(input.lastOffsets());
        try (var memory = new SharedMemory(config.rocksDbBlockCacheBytes(), config.rocksDbWriteBufferBytes())) {
            var streams = new KafkaStreams(contender.topology(config, watch), StreamsSettings.of(config, memory));
            try {
                DrainResult result = measure(streams, config, watch);
                compare(contender, contender.contents(streams, config));
                return result;
            } finally {
                close(streams);
            }
        } finally {
            BenchStack.delete(config.stateDir());
        }
    }

    private DrainResult measure(KafkaStreams streams, EbbConfig config, DrainWatch watch) throws InterruptedException {
        streams.setUncaughtExceptionHandler(failure -> {
            watch.failed(failure);
            return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
        });
        CpuMeter cpu = stack.cpu();
        streams.start();
        watch.awaitFirst(START_LIMIT);
        Duration cpuBefore = cpu.used();
        watch.awaitLast(DRAIN_LIMIT);
        awaitCommit(config.applicationId());
        return new DrainResult(input.records(), watch.took(), cpu.used().minus(cpuBefore));
    }

    /** What is not committed has not been done exactly once. */
    private void awaitCommit(String group) throws InterruptedException {
        long end = System.nanoTime() + COMMIT_LIMIT.toNanos();
        try (Admin admin = stack.clients().admin()) {
            while (!isCommitted(admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get())) {
                if (System.nanoTime() > end) {
                    throw new VoidRunException("the input was not committed within " + COMMIT_LIMIT.toSeconds() + " s");
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not tell what is committed: " + e.getMessage(), e);
        }
    }

    private boolean isCommitted(Map<TopicPartition, OffsetAndMetadata> committed) {
        long[] last = input.lastOffsets();
        for (int partition = 0; partition < last.length; partition++) {
            var offset = committed.get(new TopicPartition(stack.topics().events(), partition));
            if (last[partition] >= 0 && (offset == null || offset.offset() <= last[partition])) {
                return false;
            }
        }
        return true;
    }

    private void compare(Contender contender, Contents stored) {
        if (!stored.equals(input.expected())) {
            throw new VoidRunException(
                    contender.name() + " holds " + stored + ", and the model says " + input.expected());
        }
    }

    private static void close(KafkaStreams streams) {
        var options = CloseOptions.timeout(CLOSE_LIMIT)
                .withGroupMembershipOperation(CloseOptions.GroupMembershipOperation.LEAVE_GROUP);
        if (!streams.close(options)) {
            throw new VoidRunException("the application did not stop within " + CLOSE_LIMIT.toSeconds() + " s");
        }
    }
}
