package dev.ebb.source;

import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.domain.Spelling;
import dev.ebb.domain.source.SourceRecord;
import dev.ebb.runtime.kafka.LogSpan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Reads the newest records of a topic of another application, and changes nothing: neither offsets of a group nor a
 * topic that is missing.
 *
 * @param reader reads committed records; used by this object alone and left open
 * @param partitions the partitions of the topic
 */
record TopicSample(org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> reader, List<TopicPartition> partitions) {

    /** Maximum number of records: those that are read are in memory. */
    static final int MOST = 100_000;

    private static final long MOST_BYTES = 256L << 20;
    private static final int STEP_FACTOR = 8;
    private static final Comparator<SourceRecord> BY_TIME = Comparator.comparingLong(SourceRecord::timestampMs)
            .thenComparingInt(SourceRecord::partition)
            .thenComparingLong(SourceRecord::offset);

    /** Opens a topic; ends the command if there is none. */
    static TopicSample of(
            Admin admin, org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> reader, String topic) {
        try {
            Map<String, TopicDescription> described =
                    admin.describeTopics(List.of(topic)).allTopicNames().get();
            int partitions = described.values().stream()
                    .mapToInt(description -> description.partitions().size())
                    .sum();
            return new TopicSample(
                    reader,
                    IntStream.range(0, partitions)
                            .mapToObj(partition -> new TopicPartition(topic, partition))
                            .toList());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException
                    || e.getCause() instanceof InvalidTopicException) {
                throw new CommandFailure(ExitCode.FAILED, "there is no topic '" + topic + "'" + meant(admin, topic), e);
            }
            throw e.getCause() instanceof KafkaException kafka ? kafka : new KafkaException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(ExitCode.FAILED, "interrupted", e);
        }
    }

    private static String meant(Admin admin, String topic) {
        try {
            Set<String> names = admin.listTopics().names().get();
            return Spelling.closest(topic, names)
                    .map(name -> "; did you mean " + name + "?")
                    .orElse("");
        } catch (ExecutionException e) {
            return "";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Returns the newest records, at most that many, the oldest first. */
    List<SourceRecord> last(int count) {
        List<SourceRecord> newest = new ArrayList<>();
        Map<TopicPartition, Long> begins = reader.beginningOffsets(partitions);
        Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
        for (TopicPartition partition : partitions) {
            newest.addAll(last(partition, count, begins.getOrDefault(partition, 0L), ends.getOrDefault(partition, 0L)));
            newest.sort(BY_TIME);
            newest.subList(0, Math.max(0, newest.size() - count)).clear();
        }
        return newest;
    }

    /** Goes back in growing steps: markers of transactions and gaps of compaction have offsets too. */
    private Collection<SourceRecord> last(TopicPartition partition, int count, long begin, long end) {
        for (long step = count; ; step *= STEP_FACTOR) {
            long start = Math.max(begin, end - step);
            Deque<SourceRecord> found = new ArrayDeque<>();
            read(partition, start, end, record -> {
                found.add(record);
                if (found.size() > count) {
                    found.remove();
                }
            });
            if (found.size() >= count || start <= begin || step > MOST) {
                return found;
            }
        }
    }

    /** Returns all records from that time on, epoch milliseconds, the oldest first; ends the command if there are more. */
    List<SourceRecord> since(long timeMs) {
        Map<TopicPartition, Long> times = new HashMap<>();
        partitions.forEach(partition -> times.put(partition, timeMs));
        Map<TopicPartition, OffsetAndTimestamp> starts = reader.offsetsForTimes(times);
        Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
        Gathered found = new Gathered();
        for (TopicPartition partition : partitions) {
            OffsetAndTimestamp start = starts.get(partition);
            if (start != null) {
                read(partition, start.offset(), ends.getOrDefault(partition, 0L), found);
            }
        }
        found.records.sort(BY_TIME);
        return found.records;
    }

    /** Shows the records from one offset up to another to the taker, in their order. */
    private void read(TopicPartition partition, long start, long end, Consumer<SourceRecord> taker) {
        reader.assign(List.of(partition));
        new LogSpan(partition, start, end).read(reader, record -> taker.accept(of(record)));
    }

    /** Records that are kept in memory, within limits. */
    private static final class Gathered implements Consumer<SourceRecord> {

        private final List<SourceRecord> records = new ArrayList<>();
        private long bytes;

        @Override
        public void accept(SourceRecord record) {
            byte[] value = record.value();
            records.add(record);
            bytes += value == null ? 0 : value.length;
            if (records.size() > MOST || bytes > MOST_BYTES) {
                throw CommandFailure.usage("there are more than " + MOST + " records or " + (MOST_BYTES >> 20)
                        + " MiB since then; name a later --since");
            }
        }
    }

    private static SourceRecord of(ConsumerRecord<byte[], byte[]> record) {
        List<SourceRecord.Header> headers = StreamSupport.stream(
                        record.headers().spliterator(), false)
                .map(header -> new SourceRecord.Header(header.key(), header.value()))
                .toList();
        return new SourceRecord(
                record.topic(),
                record.partition(),
                record.offset(),
                record.timestamp(),
                record.key(),
                record.value(),
                headers);
    }
}
