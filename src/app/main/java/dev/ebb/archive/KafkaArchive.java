package dev.ebb.archive;

import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.serde.records.ArchiveReader;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the topic of archived events.
 *
 * @param topic lists the records
 */
public record KafkaArchive(TopicReader topic, ArchiveReader reader) implements ArchiveQueries {

    @Override
    public HistoryPage<ArchivedRecord> list(ArchiveFilter filter, @Nullable String after, int limit) {
        return topic.page(filter.time(), after, limit, record -> {
            ArchivedRecord archived = archived(record);
            return archived != null && filter.test(archived.archived()) ? archived : null;
        });
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
