package dev.ebb.runtime.history;

import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.ReportQueries;
import dev.ebb.port.history.TimeRange;
import dev.ebb.serde.records.ReportReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Reads the topic of reports. */
public record KafkaReportQueries(TopicReader topic, ReportReader reader) implements ReportQueries {

    /** Longest time by which one partition can report on a command before another one begins it. */
    private static final long APART_MS = Duration.ofMinutes(20).toMillis();

    @Override
    public HistoryPage<SweepReport> list(TimeRange time, @Nullable String after, int limit) {
        return topic.page(time, after, limit, record -> {
            SweepReport entry = entry(record);
            return entry != null && time.contains(entry.completedMs()) ? entry : null;
        });
    }

    @Override
    public List<SweepReport> find(String sweepOrCommand) {
        for (TimeRange time : HistoryTimes.likely(sweepOrCommand)) {
            List<SweepReport> found = find(sweepOrCommand, time);
            if (!found.isEmpty()) {
                return found;
            }
        }
        return List.of();
    }

    private List<SweepReport> find(String sweepOrCommand, TimeRange time) {
        List<SweepReport> found = new ArrayList<>();
        boolean[] isPast = {false};
        String rest = topic.newestFirst(time, null, record -> {
            SweepReport entry = entry(record);
            if (entry != null && entry.isOf(sweepOrCommand)) {
                found.add(entry);
            }
            isPast[0] = !found.isEmpty() && record.timestamp() < beginOf(found) - APART_MS;
            return !isPast[0];
        });
        if (rest != null && !isPast[0]) {
            throw TopicReader.tooLong();
        }
        return found;
    }

    private static long beginOf(List<SweepReport> found) {
        return found.stream().mapToLong(SweepReport::startedMs).min().orElse(Long.MAX_VALUE);
    }

    private @Nullable SweepReport entry(ConsumerRecord<byte[], byte[]> record) {
        return record.value() == null ? null : reader.readReport(record.value()).orElse(null);
    }
}
