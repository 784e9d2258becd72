package dev.ebb.runtime;

import dev.ebb.api.ArchiveQueries;
import dev.ebb.api.ArchivedRecord;
import dev.ebb.api.HistoryPage;
import dev.ebb.api.RejectedRecord;
import dev.ebb.api.UnavailableException;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.serde.ArchiveReader;
import dev.ebb.serde.RegistryUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
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
final class KafkaArchive implements ArchiveQueries {

    /** How many offsets are read at once; what lies further apart is read on its own. */
    private static final long SPAN = 1000;

    private final TopicReader topic;
    private final Supplier<RecordLog> logs;
    private final ArchiveReader reader;
    private final TerminalStatuses statuses;
    private final Duration patience;

    /**
     * @param topic lists the records
     * @param logs opens the topic; connects
     * @param statuses the terminal statuses in force
     * @param patience how long records may be looked for by their places
     */
    KafkaArchive(
            TopicReader topic,
            Supplier<RecordLog> logs,
            ArchiveReader reader,
            TerminalStatuses statuses,
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
        Map<Integer, NavigableSet<Long>> wanted = new TreeMap<>();
        places.forEach(place -> wanted.computeIfAbsent(place.partition(), partition -> new TreeSet<>())
                .add(place.offset()));
        long deadline = System.nanoTime() + patience.toNanos();
        List<ArchivedRecord> found = new ArrayList<>();
        try (RecordLog log = logs.get()) {
            Map<Integer, Long> begins = log.begins();
            Map<Integer, Long> ends = log.ends();
            wanted.forEach((partition, offsets) -> {
                long begin = begins.getOrDefault(partition, 0L);
                long end = ends.getOrDefault(partition, 0L);
                if (begin < end) {
                    read(log, partition, new TreeSet<>(offsets.subSet(begin, true, end, false)), deadline, found);
                }
            });
            return found;
        } catch (KafkaException e) {
            throw new UnavailableException("the broker did not answer", e);
        } catch (RegistryUnavailableException | RecordLog.TimeUpException e) {
            throw new UnavailableException("the archive could not be read in time; ask again", e);
        }
    }

    @Override
    public boolean isProtected(Event event) {
        return !statuses.isTerminal(event.status());
    }

    /** From the last one on: what a piece leaves out is its beginning. */
    private void read(
            RecordLog log, int partition, NavigableSet<Long> offsets, long deadline, List<ArchivedRecord> found) {
        NavigableSet<Long> left = offsets;
        while (!left.isEmpty()) {
            long last = left.last();
            long first = left.tailSet(last - SPAN, true).first();
            RecordLog.Piece piece = log.read(partition, first, last + 1, deadline);
            for (ConsumerRecord<byte[], byte[]> record : piece.records()) {
                ArchivedRecord archived = left.contains(record.offset()) ? archived(record) : null;
                if (archived != null) {
                    found.add(archived);
                }
            }
            left = left.headSet(Math.min(piece.first(), last), false);
        }
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
