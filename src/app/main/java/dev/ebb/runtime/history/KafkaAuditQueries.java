package dev.ebb.runtime.history;

import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.TimeRange;
import dev.ebb.serde.records.ReportReader;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads the topic of audit records. */
public final class KafkaAuditQueries implements AuditQueries {

    private final TopicReader topic;
    private final ReportReader reader;

    public KafkaAuditQueries(TopicReader topic, ReportReader reader) {
        this.topic = topic;
        this.reader = reader;
    }

    @Override
    public HistoryPage<AuditRecord> list(AuditFilter filter, @Nullable String after, int limit) {
        return topic.page(filter.time(), after, limit, record -> {
            AuditRecord entry = entry(record);
            return entry != null && filter.test(entry) ? entry : null;
        });
    }

    /** An id of a sweep says when it began: its records are looked for there first. */
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
        return visit(filter.time(), entry -> !filter.test(entry) || visitor.test(entry));
    }

    /**
     * Shows the records of that time by the broker to the visitor, in no order, until it says no. Keeps none.
     *
     * @return true if all have been visited
     */
    boolean visit(TimeRange time, Predicate<AuditRecord> visitor) {
        return topic.visit(time, record -> {
            AuditRecord entry = entry(record);
            return entry == null || visitor.test(entry);
        });
    }

    private @Nullable AuditRecord entry(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? null : reader.readAudit(record.value()).orElse(null);
    }
}
