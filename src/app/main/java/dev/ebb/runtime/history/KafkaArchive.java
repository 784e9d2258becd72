package dev.ebb.runtime.history;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.runtime.history.RecordLog.Span;
import dev.ebb.serde.records.ArchiveReader;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Reads the topic of archived events. */
public final class KafkaArchive implements ArchiveQueries {

    /** Number of offsets that are read at once; records further apart are read individually. */
    private static final long SPAN = 1000;

    private final TopicReader topic;
    private final Supplier<RecordLog> logs;
    private final ArchiveReader reader;
    private final Supplier<TerminalStatuses> statuses;
    private final Duration patience;

    /**
     * @param topic lists the records
     * @param logs opens the topic; connects
     * @param statuses the terminal statuses in force
     * @param patience longest time of a search for records by their places
     */
    public KafkaArchive(
            TopicReader topic,
            Supplier<RecordLog> logs,
            ArchiveReader reader,
            Supplier<TerminalStatuses> statuses,
            Duration patience) {
        this.topic = topic;
        this.logs = logs;
        this.reader = reader;
        this.statuses = statuses;
        this.patience = patience;
    }

    @Override
    public HistoryPage<ArchivedRecord> list(ArchiveFilter filter, @Nullable String after, int limit) {
        return topic.page(filter.time(), after, limit, record -> {
            ArchivedRecord archived = archived(record);
            return archived != null && filter.test(archived.archived()) ? archived : null;
        });
    }

    @Override
    public List<ArchivedRecord> read(Collection<RejectedRecord.Id> places) {
        long deadline = System.nanoTime() + patience.toNanos();
        List<ArchivedRecord> found = new ArrayList<>();
        try (RecordLog log = logs.get()) {
            Map<Integer, NavigableSet<Long>> left = there(places, log);
            while (!left.isEmpty()) {
                Map<Integer, Span> spans = new TreeMap<>();
                left.forEach((partition, offsets) -> spans.put(partition, firstSpan(offsets)));
                log.visit(spans, record -> take(record, left, found), deadline);
                spans.forEach(
                        (partition, span) -> left.computeIfPresent(partition, (key, offsets) -> behind(offsets, span)));
            }
            return found;
        } catch (KafkaException e) {
            throw new UnavailableException("the broker did not answer", e);
        } catch (RegistryUnavailableException | RecordLog.TimeUpException e) {
            throw new UnavailableException("the archive could not be read in time; ask again", e);
        }
    }

    @Override
    public boolean isProtected(Event event) {
        return !statuses.get().isTerminal(event.status());
    }

    /** Returns the places that exist on the topic, by partition. */
    private static Map<Integer, NavigableSet<Long>> there(Collection<RejectedRecord.Id> places, RecordLog log) {
        Map<Integer, Long> begins = log.begins();
        Map<Integer, Long> ends = log.ends();
        Map<Integer, NavigableSet<Long>> there = new TreeMap<>();
        for (RejectedRecord.Id place : places) {
            long begin = begins.getOrDefault(place.partition(), 0L);
            if (place.offset() >= begin && place.offset() < ends.getOrDefault(place.partition(), begin)) {
                there.computeIfAbsent(place.partition(), partition -> new TreeSet<>())
                        .add(place.offset());
            }
        }
        return there;
    }

    private static Span firstSpan(NavigableSet<Long> offsets) {
        long first = offsets.first();
        return new Span(first, offsets.headSet(first + SPAN, false).last() + 1);
    }

    /** Returns null if no offset lies behind the span. */
    private static @Nullable NavigableSet<Long> behind(NavigableSet<Long> offsets, Span span) {
        NavigableSet<Long> behind = offsets.tailSet(span.to(), true);
        return behind.isEmpty() ? null : behind;
    }

    private boolean take(
            ConsumerRecord<byte[], byte[]> record,
            Map<Integer, NavigableSet<Long>> wanted,
            List<ArchivedRecord> found) {
        boolean isWanted = wanted.getOrDefault(record.partition(), Collections.emptyNavigableSet())
                .contains(record.offset());
        ArchivedRecord archived = isWanted ? archived(record) : null;
        if (archived != null) {
            found.add(archived);
        }
        return true;
    }

    private @Nullable ArchivedRecord archived(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null
                ? null
                : reader.readArchived(record.value())
                        .map(event ->
                                new ArchivedRecord(new RejectedRecord.Id(record.partition(), record.offset()), event))
                        .orElse(null);
    }
}
