package dev.ebb.runtime;

import dev.ebb.api.HistoryPage;
import dev.ebb.api.NotReadyException;
import dev.ebb.api.TimeRange;
import dev.ebb.api.UnavailableException;
import dev.ebb.serde.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic whose records bear the broker's time, newest first over all partitions, from the end as it is at the
 * call. What is read depends on what is asked for, not on what the topic holds, and ends after a while whatever it holds.
 * Thread-safe; each call has a reader of its own.
 */
final class TopicReader {

    /** A record may bear a time a little before that of the broker: its transaction was under way. */
    private static final long LATE_MS = Duration.ofMinutes(10).toMillis();

    private final Supplier<RecordLog> logs;
    private final Duration patience;

    /**
     * @param logs opens the topic; connects
     * @param patience after this time a call ends with what it has found
     */
    TopicReader(Supplier<RecordLog> logs, Duration patience) {
        this.logs = logs;
        this.patience = patience;
    }

    /**
     * One page.
     *
     * @param time only records of these times by the broker, give or take some minutes
     * @param after the cursor of the page before; null to begin at the end
     * @param item what the record is to the caller; null to leave it out
     */
    <T> HistoryPage<T> page(
            TimeRange time,
            @Nullable String after,
            int limit,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable T> item) {
        List<T> items = new ArrayList<>();
        String next = newestFirst(time, after, record -> {
            T found = item.apply(record);
            if (found != null) {
                items.add(found);
            }
            return items.size() < limit;
        });
        return new HistoryPage<>(items, next);
    }

    /**
     * The newest one that is something to the caller.
     *
     * @throws NotReadyException if the time was too short to look everywhere
     */
    <T> Optional<T> find(TimeRange time, Function<ConsumerRecord<byte[], byte[]>, @Nullable T> item) {
        HistoryPage<T> page = page(time, null, 1, item);
        if (page.items().isEmpty() && page.next() != null) {
            throw tooLong();
        }
        return page.items().stream().findFirst();
    }

    /** The record at that place; empty if there is none. */
    Optional<ConsumerRecord<byte[], byte[]>> at(int partition, long offset) {
        return reading(log -> {
            long begin = log.begins().getOrDefault(partition, Long.MAX_VALUE);
            long end = log.ends().getOrDefault(partition, 0L);
            return offset < begin || offset >= end
                    ? Optional.empty()
                    : log.read(partition, offset, offset + 1, deadline()).records().stream()
                            .findFirst();
        });
    }

    /**
     * Shows the records to the visitor until it says no.
     *
     * @return the cursor to go on with; null if all have been visited
     */
    @Nullable
    String newestFirst(TimeRange time, @Nullable String after, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        Map<Integer, Long> from = after == null ? null : HistoryCursor.read(after);
        return this.<Optional<String>>reading(log -> Optional.ofNullable(walk(log, time, from, visitor)))
                .orElse(null);
    }

    static NotReadyException tooLong() {
        return new NotReadyException(
                "the topic is too long to be searched at once; ask for a list with 'from' and 'to' instead",
                Duration.ofSeconds(1));
    }

    private @Nullable String walk(
            RecordLog log,
            TimeRange time,
            @Nullable Map<Integer, Long> from,
            Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        List<PartitionTail> tails = tails(log, time, from);
        long deadline = deadline();
        try {
            PartitionTail newest = newest(tails, deadline);
            while (newest != null) {
                ConsumerRecord<byte[], byte[]> record = newest.peek(deadline);
                newest.take();
                if (record == null || !visitor.test(record) || System.nanoTime() - deadline > 0) {
                    break;
                }
                newest = newest(tails, deadline);
            }
        } catch (RecordLog.TimeUpException e) {
            // What was found so far is shown, and the cursor says where to go on.
        }
        return rest(tails);
    }

    private static List<PartitionTail> tails(RecordLog log, TimeRange time, @Nullable Map<Integer, Long> from) {
        Map<Integer, Long> begins = log.begins();
        Map<Integer, Long> ends = log.ends();
        Map<Integer, Long> firsts = time.fromMs() == 0 ? begins : log.firstSince(time.fromMs());
        Map<Integer, Long> lasts =
                time.toMs() > Long.MAX_VALUE - LATE_MS ? ends : log.firstSince(time.toMs() + LATE_MS);
        List<PartitionTail> tails = new ArrayList<>();
        ends.forEach((partition, end) -> {
            long asked = from == null ? end : Math.min(end, from.getOrDefault(partition, 0L));
            long last = Math.min(asked, lasts.getOrDefault(partition, end));
            // Without a record of that time or later there is nothing to look for.
            long first = Math.max(begins.getOrDefault(partition, 0L), firsts.getOrDefault(partition, end));
            tails.add(new PartitionTail(log, partition, first, last));
        });
        return tails;
    }

    private static @Nullable PartitionTail newest(List<PartitionTail> tails, long deadline) {
        PartitionTail newest = null;
        long newestMs = Long.MIN_VALUE;
        for (PartitionTail tail : tails) {
            ConsumerRecord<byte[], byte[]> record = tail.peek(deadline);
            if (record != null && (newest == null || record.timestamp() > newestMs)) {
                newest = tail;
                newestMs = record.timestamp();
            }
        }
        return newest;
    }

    private static @Nullable String rest(List<PartitionTail> tails) {
        Map<Integer, Long> offsets = new HashMap<>();
        tails.stream().filter(tail -> !tail.isAtBegin()).forEach(tail -> offsets.put(tail.partition(), tail.rest()));
        return offsets.isEmpty() ? null : HistoryCursor.write(offsets);
    }

    private long deadline() {
        return System.nanoTime() + patience.toNanos();
    }

    private <T> T reading(Function<RecordLog, T> question) {
        try (RecordLog log = logs.get()) {
            return question.apply(log);
        } catch (KafkaException e) {
            throw new UnavailableException("the broker did not answer", e);
        } catch (RegistryUnavailableException e) {
            throw new NotReadyException("a schema is not known yet: " + e.getMessage(), Duration.ofSeconds(1));
        } catch (RecordLog.TimeUpException e) {
            throw tooLong();
        }
    }
}
