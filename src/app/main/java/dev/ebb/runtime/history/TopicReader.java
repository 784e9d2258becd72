package dev.ebb.runtime.history;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.history.RecordLog.Piece;
import dev.ebb.runtime.history.RecordLog.Span;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a topic whose records bear the broker's time, newest first over all partitions, from the end at the time of the
 * call. The number of records that are read depends on the query, not on the size of the topic, and a call ends after a
 * while in any case. Partitions are read side by side. Thread-safe; each call has its own reader.
 *
 * @param soon time after which a page also ends that has looked at many records in vain
 */
public record TopicReader(Supplier<RecordLog> logs, Duration patience, Duration soon) {

    /** Time by which a record may be older than the broker's clock, since its transaction was under way. */
    private static final long LATE_MS = Duration.ofMinutes(10).toMillis();

    private static final Comparator<PartitionTail> NEWEST_FIRST =
            Comparator.comparingLong(PartitionTail::newestMs).reversed().thenComparingInt(PartitionTail::partition);

    /** Records without a match that a page looks at in any case; reading this many takes only a moment. */
    static final int LEAST_IN_VAIN = 8192;

    /** Time after which a page stops looking for rare matches; its cursor continues. */
    private static final Duration SOON = Duration.ofMillis(100);

    /**
     * @param logs opens the topic; connects
     * @param patience time after which a call ends with the matches found so far
     */
    public TopicReader(Supplier<RecordLog> logs, Duration patience) {
        this(logs, patience, SOON);
    }

    /**
     * Partitions and times to read.
     *
     * @param time only records of these times by the broker's clock, give or take some minutes
     * @param partition only this partition; null for all
     */
    record Place(TimeRange time, @Nullable Integer partition) {

        /** Returns that time in all partitions. */
        static Place at(TimeRange time) {
            return new Place(time, null);
        }

        private boolean has(Integer number) {
            return partition == null || partition.equals(number);
        }
    }

    /** Returns one page over all partitions. */
    public <T> HistoryPage<T> page(
            TimeRange time,
            @Nullable String after,
            int limit,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable T> item) {
        return page(Place.at(time), after, limit, item);
    }

    /**
     * Returns one page. Where matches are rare, the page ends soon, with a cursor to continue.
     *
     * @param after the cursor of the previous page; null to begin at the end
     * @param item turns a record into the item for the caller; null leaves the record out
     */
    public <T> HistoryPage<T> page(
            Place place,
            @Nullable String after,
            int limit,
            Function<ConsumerRecord<byte[], byte[]>, @Nullable T> item) {
        List<T> items = new ArrayList<>();
        int[] inVain = {0};
        long soonNanos = System.nanoTime() + soon.toNanos();
        String next = newestFirst(place, after, record -> {
            T found = item.apply(record);
            if (found == null) {
                inVain[0]++;
                return inVain[0] < LEAST_IN_VAIN || System.nanoTime() - soonNanos < 0;
            }
            items.add(found);
            return items.size() < limit;
        });
        return new HistoryPage<>(items, next);
    }

    /**
     * Returns one record that the caller can use.
     *
     * @throws NotReadyException if the time was too short to look everywhere
     */
    <T> Optional<T> find(TimeRange time, Function<ConsumerRecord<byte[], byte[]>, @Nullable T> item) {
        List<T> found = new ArrayList<>();
        boolean isComplete = visit(time, record -> {
            T one = item.apply(record);
            if (one != null) {
                found.add(one);
            }
            return one == null;
        });
        if (found.isEmpty() && !isComplete) {
            throw tooLong();
        }
        return found.stream().findFirst();
    }

    /** Returns the record at that place; empty if there is none. */
    Optional<ConsumerRecord<byte[], byte[]>> at(int partition, long offset) {
        return reading(log -> {
            long begin = log.begins().getOrDefault(partition, Long.MAX_VALUE);
            long end = log.ends().getOrDefault(partition, 0L);
            return offset < begin || offset >= end
                    ? Optional.empty()
                    : Objects.requireNonNull(log.read(Map.of(partition, new Span(offset, offset + 1)), deadline())
                                    .get(partition))
                            .records()
                            .stream()
                            .findFirst();
        });
    }

    /**
     * Shows the records to the visitor until it returns false.
     *
     * @return the cursor to continue with; null if all have been visited
     */
    @Nullable
    String newestFirst(TimeRange time, @Nullable String after, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        return newestFirst(Place.at(time), after, visitor);
    }

    private @Nullable String newestFirst(
            Place place, @Nullable String after, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        Map<Integer, Long> from = after == null ? null : HistoryCursor.read(after);
        return this.<Optional<String>>reading(log -> Optional.ofNullable(walk(log, place, from, visitor)))
                .orElse(null);
    }

    /**
     * Shows the records of these times by the broker's clock, give or take some minutes, to the visitor until it
     * returns false, in no order over the partitions. Keeps none, so that a topic may be read as a whole.
     *
     * @return true if all have been visited
     */
    public boolean visit(TimeRange time, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        return visit(Place.at(time), visitor);
    }

    /** Shows the records of that place, as {@link #visit(TimeRange, Predicate)} does. */
    public boolean visit(Place place, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        return reading(log -> {
            Map<Integer, Span> spans = spans(log, place.time());
            spans.values().removeIf(Span::isEmpty);
            spans.keySet().removeIf(partition -> !place.has(partition));
            try {
                return log.visit(spans, visitor, deadline());
            } catch (RecordLog.TimeUpException e) {
                return false;
            }
        });
    }

    /**
     * Shows the records of a partition to the visitor, oldest first, until it returns false.
     *
     * @param from offset of the first record
     * @param sinceMs only records from that time on, by the broker's clock, epoch milliseconds
     * @return false if time was too short for all of them
     */
    public boolean oldestFirst(
            int partition, long from, long sinceMs, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        return reading(log -> {
            long end = log.ends().getOrDefault(partition, 0L);
            long begin = Math.max(from, log.begins().getOrDefault(partition, 0L));
            long since = sinceMs == 0 ? 0 : log.firstSince(sinceMs).getOrDefault(partition, end);
            Span span = new Span(Math.max(begin, since), end);
            try {
                if (!span.isEmpty()) {
                    log.visit(Map.of(partition, span), visitor, deadline());
                }
                return true;
            } catch (RecordLog.TimeUpException e) {
                return false;
            }
        });
    }

    /** Returns the first offset of that partition. */
    public long begin(int partition) {
        return reading(log -> log.begins().getOrDefault(partition, 0L));
    }

    public static NotReadyException tooLong() {
        return new NotReadyException(
                "the topic is too long to be searched at once; ask for a list with 'from' and 'to' instead",
                Duration.ofSeconds(1));
    }

    private @Nullable String walk(
            RecordLog log,
            Place place,
            @Nullable Map<Integer, Long> from,
            Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        List<PartitionTail> tails = tails(log, place, from);
        try {
            visitNewestFirst(log, tails, visitor);
        } catch (RecordLog.TimeUpException e) {
            // The records found so far are shown, and the cursor names the place to continue.
        }
        return rest(tails);
    }

    private void visitNewestFirst(
            RecordLog log, List<PartitionTail> tails, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
        long deadline = deadline();
        Queue<PartitionTail> heads = new PriorityQueue<>(NEWEST_FIRST);
        for (PartitionTail tail : tails) {
            addIfAny(heads, tail, log, tails, deadline);
        }
        boolean isWanted = true;
        while (isWanted && !heads.isEmpty()) {
            PartitionTail newest = heads.remove();
            isWanted = visitor.test(newest.take()) && System.nanoTime() - deadline <= 0;
            if (isWanted) {
                addIfAny(heads, newest, log, tails, deadline);
            }
        }
    }

    /** A piece may have no record, and only the next one reveals the newest record. */
    private static void addIfAny(
            Queue<PartitionTail> heads, PartitionTail tail, RecordLog log, List<PartitionTail> tails, long deadline) {
        while (tail.isUnknown()) {
            readShortOnes(log, tails, deadline);
        }
        if (tail.hasRecord()) {
            heads.add(tail);
        }
    }

    /** Reads pieces together: tails that soon need their next piece get it along with a tail that needs one now. */
    private static void readShortOnes(RecordLog log, List<PartitionTail> tails, long deadline) {
        List<PartitionTail> wanted =
                tails.stream().filter(PartitionTail::isShort).toList();
        Map<Integer, Span> spans = new HashMap<>();
        wanted.forEach(tail -> spans.put(tail.partition(), tail.next()));
        Map<Integer, Piece> pieces = log.read(spans, deadline);
        wanted.forEach(tail -> tail.add(Objects.requireNonNull(pieces.get(tail.partition()))));
    }

    private static List<PartitionTail> tails(RecordLog log, Place place, @Nullable Map<Integer, Long> from) {
        List<PartitionTail> tails = new ArrayList<>();
        spans(log, place.time()).forEach((partition, span) -> {
            if (place.has(partition)) {
                long end = from == null ? span.to() : Math.min(span.to(), from.getOrDefault(partition, 0L));
                tails.add(new PartitionTail(partition, span.from(), end));
            }
        });
        return tails;
    }

    /** Returns the stretches with the records of these times, by partition. */
    private static Map<Integer, Span> spans(RecordLog log, TimeRange time) {
        Map<Integer, Long> begins = log.begins();
        Map<Integer, Long> ends = log.ends();
        Map<Integer, Long> firsts = time.fromMs() == 0 ? begins : log.firstSince(time.fromMs());
        Map<Integer, Long> lasts =
                time.toMs() > Long.MAX_VALUE - LATE_MS ? ends : log.firstSince(time.toMs() + LATE_MS);
        Map<Integer, Span> spans = new HashMap<>();
        ends.forEach((partition, end) -> {
            long last = Math.min(end, lasts.getOrDefault(partition, end));
            // Without a record of that time or later, the stretch is empty.
            long first = Math.max(begins.getOrDefault(partition, 0L), firsts.getOrDefault(partition, end));
            spans.put(partition, new Span(first, last));
        });
        return spans;
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
