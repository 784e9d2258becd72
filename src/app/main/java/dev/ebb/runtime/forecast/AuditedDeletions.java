package dev.ebb.runtime.forecast;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.forecast.DeletionHistory;
import dev.ebb.runtime.history.RecordLog;
import dev.ebb.runtime.history.RecordLog.Span;
import dev.ebb.serde.records.ReportReader;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sums of the audit, which has the deletes of all instances. {@link #keepUp}, which runs from the start of the instance
 * on, reads the last records and then each new one, so that the recent past is known when a page opens. A query starts
 * to read the rest, from there back to the beginning, in blocks, so that the last days are known first. Reading back
 * goes on for as long as there are queries. If more records have arrived than can be caught up with, everything begins
 * again from the end.
 */
public final class AuditedDeletions implements DeletionHistory, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(AuditedDeletions.class);

    /** Offsets of a partition that are read at once; fewer where time was too short for them. */
    private static final long BLOCK = 2000;

    /** Records at the end of the audit that are read without a query, over all partitions. */
    public static final long TAIL = 20_000;

    /** Maximum number of new records to catch up with while there are queries. */
    private static final long MOST_BEHIND = 1_000_000;

    /** Maximum number of new records to catch up with while there are no queries, as a multiple of the tail. */
    private static final long TAILS_BEHIND = 5;

    /** Maximum number of sums to keep. */
    private static final int MOST_SUMS = 100_000;

    /** Number of blocks read in time after which blocks become longer again. */
    private static final int TRIES = 10;

    private static final Duration BLOCK_PATIENCE = Duration.ofSeconds(15);

    /** Longest wait of a caller for the newest records. */
    private static final Duration A_MOMENT = Duration.ofMillis(300);

    /** Time without a query after which the rest of the audit is read no further. */
    private static final Duration INTEREST = Duration.ofMinutes(1);

    private final Supplier<RecordLog> logs;
    private final ReportReader reader;
    private final long tail;
    private final LongSupplier nanoTime;
    private final ExecutorService worker;

    private HourSums sums = new HourSums(MOST_SUMS);
    private final Map<Integer, PartRead> parts = new TreeMap<>();
    private long block = BLOCK;
    private int readInTime;
    private boolean isRunning;

    /** True if it is said that the audit cannot be read, until it can. Only the worker uses it. */
    private boolean hasFailed;

    private boolean isAsked;
    private boolean isFollowed;
    private boolean isClosed;
    private long askedNanos;

    /**
     * @param logs opens the audit; connects
     * @param tail number of records at the end of the audit that are read without a query, over all partitions
     * @param worker reads, one task at a time; closed with this object
     */
    public AuditedDeletions(
            Supplier<RecordLog> logs, ReportReader reader, long tail, LongSupplier nanoTime, ExecutorService worker) {
        this.logs = logs;
        this.reader = reader;
        this.tail = tail;
        this.nanoTime = nanoTime;
        this.worker = worker;
    }

    /** The part of a partition that was read. */
    private static final class PartRead {

        private long begin;
        private long low;
        private long high;
        private long sinceMs = Long.MAX_VALUE;

        private boolean isAtBegin() {
            return low <= begin;
        }
    }

    @Override
    public Deletions deletions(@Nullable String namespace, List<Long> buckets) {
        ask();
        awaitNews();
        return answer(namespace, buckets);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        worker.shutdownNow();
        notifyAll();
    }

    /**
     * Reads new records, and the last records of the audit if they are not known; returns at once. To be called every
     * few seconds.
     */
    public void keepUp() {
        begin();
    }

    private synchronized void ask() {
        askedNanos = nanoTime.getAsLong();
        isAsked = true;
        begin();
    }

    private synchronized void begin() {
        if (isRunning || isClosed) {
            return;
        }
        isFollowed = false;
        isRunning = true;
        try {
            worker.execute(this::read);
        } catch (RejectedExecutionException e) {
            isRunning = false;
            isClosed = true;
        }
    }

    private synchronized void awaitNews() {
        long deadline = System.nanoTime() + A_MOMENT.toNanos();
        long left = A_MOMENT.toMillis();
        try {
            while (isRunning && !isFollowed && left > 0) {
                wait(left);
                left = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (RecordLog log = logs.get()) {
            follow(log);
            while (isMoreWanted() && readBlock(log)) {
                follow(log);
            }
            hasFailed = false;
        } catch (KafkaException | NotReadyException | RegistryUnavailableException | RecordLog.TimeUpException e) {
            // A read without a query is repeated a moment later.
            if (isOfInterest() && !hasFailed) {
                hasFailed = true;
                LOGGER.atWarn().addKeyValue("problem", e.getMessage()).log("the audit cannot be read for its sums");
            }
        } finally {
            end();
        }
    }

    private synchronized void end() {
        isRunning = false;
        notifyAll();
    }

    /** Returns true if the audit is to be read further back. */
    private synchronized boolean isMoreWanted() {
        long read =
                parts.values().stream().mapToLong(part -> part.high - part.low).sum();
        return !isClosed && (isOfInterest() || read < tail);
    }

    private synchronized boolean isOfInterest() {
        return isAsked && nanoTime.getAsLong() - askedNanos < INTEREST.toNanos();
    }

    private synchronized boolean isOpen() {
        return !isClosed;
    }

    /** Reads the records since the last time, in blocks; finds the end of the audit at the first call. */
    private void follow(RecordLog log) {
        Map<Integer, Long> begins = log.begins();
        Map<Integer, Long> ends = log.ends();
        synchronized (this) {
            restartIfFarBehind(ends);
            ends.forEach((partition, end) -> {
                PartRead part = parts.computeIfAbsent(partition, number -> {
                    PartRead made = new PartRead();
                    made.low = end;
                    made.high = end;
                    return made;
                });
                part.begin = begins.getOrDefault(partition, 0L);
                part.high = Math.max(part.high, part.begin);
            });
        }
        boolean hasMore = true;
        while (hasMore && isOpen()) {
            hasMore = readNewer(log, ends);
        }
        synchronized (this) {
            isFollowed |= !hasMore;
            notifyAll();
        }
    }

    /** Catching up goes oldest first, so the newest records would be known last. */
    private void restartIfFarBehind(Map<Integer, Long> ends) {
        long behind = parts.entrySet().stream()
                .mapToLong(part -> ends.getOrDefault(part.getKey(), part.getValue().high) - part.getValue().high)
                .sum();
        if (behind > (isOfInterest() ? MOST_BEHIND : TAILS_BEHIND * tail)) {
            parts.clear();
            sums = new HourSums(MOST_SUMS);
        }
    }

    /** Reads one block further on in each partition; returns false if nothing is left before these ends. */
    private boolean readNewer(RecordLog log, Map<Integer, Long> ends) {
        Map<Integer, Span> spans = new HashMap<>();
        synchronized (this) {
            ends.forEach((partition, end) -> {
                long high = part(partition).high;
                if (high < end) {
                    spans.put(partition, new Span(high, Math.min(end, high + block)));
                }
            });
        }
        visit(log, spans);
        synchronized (this) {
            spans.forEach((partition, span) -> part(partition).high = span.to());
            return !spans.isEmpty();
        }
    }

    /** Reads one block further back in each partition; returns false if there is nothing left. */
    private boolean readBlock(RecordLog log) {
        Map<Integer, Span> spans = new HashMap<>();
        synchronized (this) {
            parts.forEach((partition, part) -> {
                if (!part.isAtBegin()) {
                    spans.put(partition, new Span(Math.max(part.begin, part.low - block), part.low));
                }
            });
        }
        visit(log, spans);
        synchronized (this) {
            spans.forEach((partition, span) -> part(partition).low = span.from());
            return !spans.isEmpty();
        }
    }

    /** Adds a block as a whole or not at all: a block that could not be read to its end is read again. */
    private void visit(RecordLog log, Map<Integer, Span> spans) {
        if (spans.isEmpty()) {
            return;
        }
        List<Deleted> found = new ArrayList<>();
        boolean isWhole;
        try {
            isWhole = log.visit(
                    spans,
                    record -> {
                        Deleted deleted = deleted(record);
                        if (deleted != null) {
                            found.add(deleted);
                        }
                        return isOpen();
                    },
                    System.nanoTime() + BLOCK_PATIENCE.toNanos());
        } catch (RecordLog.TimeUpException e) {
            // The same block would take as long the next time.
            block = Math.max(1, block / 2);
            readInTime = 0;
            throw e;
        }
        if (!isWhole) {
            throw new RecordLog.TimeUpException();
        }
        readInTime++;
        if (readInTime % TRIES == 0) {
            block = Math.min(BLOCK, 2 * block);
        }
        synchronized (this) {
            found.forEach(this::add);
        }
    }

    private record Deleted(int partition, long atMs, String namespace, String cause, long events, long bytes) {}

    private @Nullable Deleted deleted(ConsumerRecord<byte[], byte[]> record) {
        AuditRecord entry =
                record.value() == null ? null : reader.readAudit(record.value()).orElse(null);
        String stream = entry == null ? null : entry.stream();
        String cause = entry == null ? null : entry.cause();
        if (entry == null || stream == null || cause == null) {
            return null;
        }
        return new Deleted(
                record.partition(),
                entry.atMs(),
                new StreamName(stream).namespace(),
                cause,
                entry.eventIds().size(),
                entry.bytes());
    }

    private void add(Deleted deleted) {
        PartRead part = part(deleted.partition());
        part.sinceMs = Math.min(part.sinceMs, deleted.atMs());
        String namespace = sums.isFull() ? OTHERS : deleted.namespace();
        sums.add(deleted.atMs(), namespace, deleted.cause(), deleted.events(), deleted.bytes());
    }

    private PartRead part(int partition) {
        return Objects.requireNonNull(parts.get(partition));
    }

    private synchronized Deletions answer(@Nullable String namespace, List<Long> buckets) {
        long fromMs = buckets.get(0);
        Map<String, Map<String, List<Tally>>> found = new TreeMap<>();
        int count = buckets.size() - 1;
        sums.tell(fromMs, buckets.get(count), (atMs, name, cause, tally) -> {
            if (namespace == null || namespace.equals(name)) {
                int place = Collections.binarySearch(buckets, atMs);
                List<Tally> tallies = found.computeIfAbsent(name, key -> new TreeMap<>())
                        .computeIfAbsent(cause, key -> new ArrayList<>(Collections.nCopies(count, Tally.ZERO)));
                int bucket = place >= 0 ? place : -place - 2;
                tallies.set(bucket, tallies.get(bucket).plus(tally.events(), tally.bytes()));
            }
        });
        Long since = since();
        boolean reachesBack = isAllRead() || (since != null && since <= fromMs);
        return new Deletions(since, isFollowed && reachesBack, sums.preciseFrom(buckets), found);
    }

    private boolean isAllRead() {
        return !parts.isEmpty() && parts.values().stream().allMatch(PartRead::isAtBegin);
    }

    /**
     * Partitions that are read to their beginning are complete; among the others, the one that is read least far back
     * counts.
     */
    private @Nullable Long since() {
        if (parts.isEmpty()) {
            return null;
        }
        boolean isAll = isAllRead();
        long since = parts.values().stream()
                .filter(part -> isAll || !part.isAtBegin())
                .mapToLong(part -> part.sinceMs)
                .reduce(isAll ? Long.MAX_VALUE : Long.MIN_VALUE, isAll ? Math::min : Math::max);
        return since == Long.MAX_VALUE || since == Long.MIN_VALUE ? null : (Long) since;
    }
}
