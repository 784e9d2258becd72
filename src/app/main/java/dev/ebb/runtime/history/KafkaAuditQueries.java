package dev.ebb.runtime.history;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.TimeRange;
import dev.ebb.serde.records.ReportReader;
import dev.ebb.topology.wire.StreamPartition;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topic of audit records.
 *
 * @param partitions number of partitions of the audit, which has each stream in the same partition as the topic of
 *     events
 */
public record KafkaAuditQueries(TopicReader topic, ReportReader reader, int partitions) implements AuditQueries {

    @Override
    public HistoryPage<AuditRecord> list(AuditFilter filter, @Nullable String after, int limit) {
        return topic.page(place(filter), after, limit, record -> {
            AuditRecord entry = entry(record);
            return entry != null && filter.test(entry) ? entry : null;
        });
    }

    /** Deletes from a stream are in its partition; a sweep writes no record before its id was made. */
    private TopicReader.Place place(AuditFilter filter) {
        String stream = filter.stream();
        Integer partition = stream == null || StreamName.problem(stream) != null
                ? null
                : (Integer) StreamPartition.of(new StreamName(stream), partitions);
        String sweep = filter.sweep();
        long sinceMs = sweep == null ? 0 : HistoryTimes.begin(sweep);
        TimeRange time = filter.time();
        return new TopicReader.Place(
                new TimeRange(Math.min(time.toMs(), Math.max(time.fromMs(), sinceMs)), time.toMs()), partition);
    }

    /** The id of a sweep contains the time of its start, so its records are looked for there first. */
    @Override
    public Optional<AuditRecord> find(String auditId) {
        for (var time : HistoryTimes.likely(auditId)) {
            Optional<AuditRecord> found = topic.find(time, record -> {
                AuditRecord entry = entry(record);
                return entry != null && entry.auditId().equals(auditId) ? entry : null;
            });
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    @Override
    public boolean visit(AuditFilter filter, Predicate<AuditRecord> visitor) {
        return visit(place(filter), entry -> !filter.test(entry) || visitor.test(entry));
    }

    /**
     * Shows the records of that time, by the broker's clock, to the visitor, in no particular order, until it returns
     * false. Keeps none.
     *
     * @return true if all have been visited
     */
    boolean visit(TimeRange time, Predicate<AuditRecord> visitor) {
        return visit(TopicReader.Place.at(time), visitor);
    }

    private boolean visit(TopicReader.Place place, Predicate<AuditRecord> visitor) {
        return topic.visit(place, record -> {
            AuditRecord entry = entry(record);
            return entry == null || visitor.test(entry);
        });
    }

    private @Nullable AuditRecord entry(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? null : reader.readAudit(record.value()).orElse(null);
    }
}
