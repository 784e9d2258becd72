package dev.ebb.runtime.writes;

import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.serde.records.DecodedResult;
import dev.ebb.serde.records.RecordReader;
import dev.ebb.topology.wire.Topics;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the results of all partitions, no matter which instance writes them, from a day before its start.
 * {@link #start()} is called once; any thread may query the results.
 */
public final class ResultsFollower implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ResultsFollower.class);
    private static final Duration HISTORY = Duration.ofDays(1);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(15);

    private final Supplier<Consumer<byte[], byte[]>> readers;
    private final RecordReader records;
    private final LatestResults results;
    private final List<TopicPartition> partitions;
    private final Clock clock;
    private final Thread thread = new Thread(this::run, "ebb-results");
    private final CountDownLatch closing = new CountDownLatch(1);
    private volatile @Nullable Consumer<byte[], byte[]> reading;
    private volatile boolean isCaughtUp;

    /**
     * Creates a follower that connects to nothing yet.
     *
     * @param readers creates consumers that read committed records; this object closes them
     * @param results receives the results; closed with this object
     */
    public ResultsFollower(
            Supplier<Consumer<byte[], byte[]>> readers,
            RecordReader records,
            LatestResults results,
            Topics topics,
            Clock clock) {
        this.readers = readers;
        this.records = records;
        this.results = results;
        this.partitions = IntStream.range(0, topics.partitions())
                .mapToObj(partition -> new TopicPartition(topics.results(), partition))
                .toList();
        this.clock = clock;
        thread.setDaemon(true);
    }

    /** Starts to read; the topic must exist. */
    public void start() {
        thread.start();
    }

    /** Returns true if everything that existed at the start has been read. */
    public boolean isCaughtUp() {
        return isCaughtUp;
    }

    /** Lets the reading thread close the consumer, which belongs to that thread alone. */
    @Override
    public void close() throws InterruptedException {
        closing.countDown();
        results.close();
        Consumer<byte[], byte[]> waiting = reading;
        if (waiting != null) {
            waiting.wakeup();
        }
        thread.join(CLOSE_TIMEOUT.toMillis());
    }

    /** Continues with another consumer after a failure; without a follower, all callers would wait in vain. */
    private void run() {
        boolean isGoingOn = true;
        while (isGoingOn) {
            try (Consumer<byte[], byte[]> reader = readers.get()) {
                reading = reader;
                follow(reader);
                return;
            } catch (WakeupException e) {
                return; // closing
            } catch (RuntimeException e) {
                LOG.atWarn().setCause(e).log("cannot read the results of commands; trying again");
                isGoingOn = pause();
            }
        }
    }

    private void follow(Consumer<byte[], byte[]> reader) {
        Map<TopicPartition, Long> ends = assign(reader);
        while (closing.getCount() > 0) {
            if (!isCaughtUp && isReadTo(ends, reader)) {
                isCaughtUp = true;
            }
            for (ConsumerRecord<byte[], byte[]> record : reader.poll(KafkaClients.FOLLOWING)) {
                take(record);
            }
        }
    }

    /** Assigns the partitions; returns their present ends. */
    private Map<TopicPartition, Long> assign(Consumer<byte[], byte[]> reader) {
        reader.assign(partitions);
        Map<TopicPartition, Long> ends = new HashMap<>(reader.endOffsets(partitions));
        long fromMs = clock.instant().minus(HISTORY).toEpochMilli();
        Map<TopicPartition, Long> times =
                partitions.stream().collect(Collectors.toMap(partition -> partition, partition -> fromMs));
        Map<TopicPartition, OffsetAndTimestamp> first = reader.offsetsForTimes(times);
        for (TopicPartition partition : partitions) {
            OffsetAndTimestamp from = first.get(partition);
            reader.seek(partition, from == null ? ends.getOrDefault(partition, 0L) : from.offset());
        }
        return ends;
    }

    private static boolean isReadTo(Map<TopicPartition, Long> ends, Consumer<byte[], byte[]> reader) {
        return ends.entrySet().stream().allMatch(end -> reader.position(end.getKey()) >= end.getValue());
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
        byte[] value = record.value();
        if (value == null) {
            return;
        }
        DecodedResult decoded = records.readResult(value);
        while (decoded instanceof DecodedResult.Pending && pause()) {
            decoded = records.readResult(value);
        }
        if (decoded instanceof DecodedResult.Good good) {
            results.put(good.result(), record.partition());
        } else if (decoded instanceof DecodedResult.Bad bad) {
            LOG.atWarn()
                    .addKeyValue("partition", record.partition())
                    .addKeyValue("offset", record.offset())
                    .addKeyValue("why", bad.rejection().detail())
                    .log("a record among the results of commands is not a result");
        }
    }

    /** Returns false at once when the follower is being closed. */
    private boolean pause() {
        try {
            return !closing.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
