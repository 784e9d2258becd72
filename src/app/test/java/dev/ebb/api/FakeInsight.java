package dev.ebb.api;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.event.EndsInWaiting;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.DueSums;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.DueForecast;
import dev.ebb.port.EventQueries;
import dev.ebb.port.ExpiredCounts;
import dev.ebb.port.ExplainQueries;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.ParkedStreamView;
import dev.ebb.port.forecast.News;
import dev.ebb.port.history.ArchiveQueries;
import dev.ebb.port.history.ArchivedRecord;
import dev.ebb.port.history.AuditQueries;
import dev.ebb.port.history.HistoryPage;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.RejectedRecord.Id;
import dev.ebb.port.history.ReportQueries;
import dev.ebb.port.history.TimeRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** History in memory; paging by index. */
public final class FakeInsight {

    final List<AuditRecord> audited = new ArrayList<>();
    final List<SweepReport> reports = new ArrayList<>();
    final List<RejectedRecord> rejected = new ArrayList<>();
    final List<RejectedRecord> replayed = new ArrayList<>();
    final List<ArchivedRecord> archived = new ArrayList<>();
    final Map<String, DueSums> due = new HashMap<>();
    final Map<String, Long> expired = new HashMap<>();
    final Map<StreamName, Long> overdue = new HashMap<>();
    final Map<EventId, StoredEvent> standings = new HashMap<>();
    final List<String> sweepProblems = new ArrayList<>();

    /** Executions of which ends wait. */
    final List<Long> waiting = new ArrayList<>();

    public final FakeMirror mirror = new FakeMirror();
    public final FakeReceipts receipts = new FakeReceipts();
    public final FakeForecasts forecasts = new FakeForecasts();
    final FakeDeletions deletions = new FakeDeletions();
    volatile News.Ends ends = new News.Ends(1L, 2L, 3L, 4L);
    public final List<ParkedStreamView> parked = new ArrayList<>();
    boolean isAuditRead = true;
    final FakeTrash trash = new FakeTrash();
    boolean isHeld;
    long noticeUntilMs = -1;
    int duePartition;

    InsightPorts ports(EventQueries events) {
        return new InsightPorts(
                new Audit(),
                new Reports(),
                new Rejected(),
                new Archive(),
                new Forecast(),
                () -> new ExpiredCounts.Expired(expired, isAuditRead, FakePorts.T0.toEpochMilli() + 1),
                new Explain(),
                (partition, limit) -> parked.stream()
                        .filter(stream -> stream.partition() == partition)
                        .limit(limit)
                        .toList(),
                receipts,
                trash,
                mirror,
                new FakeFigures(events, overdue),
                forecasts,
                deletions,
                () -> ends);
    }

    FakeInsight audit(String auditId, long atMs, String stream, String cause, String... ids) {
        audited.add(new AuditRecord(
                auditId,
                "DELETE",
                atMs,
                "*",
                "s-1",
                null,
                stream,
                cause,
                7L,
                List.of(ids),
                100,
                1L,
                2L,
                null,
                "",
                "",
                null,
                null,
                null,
                null));
        return this;
    }

    /** A policy that came into force. */
    FakeInsight policySet(String auditId, long atMs, String scope, long version) {
        audited.add(new AuditRecord(
                auditId,
                "POLICY_SET",
                atMs,
                scope,
                null,
                null,
                null,
                null,
                version,
                List.of(),
                0,
                null,
                null,
                "{}",
                "anna",
                "why",
                null,
                null,
                null,
                null));
        return this;
    }

    FakeInsight report(String sweepId, String commandId, int partition, long startedMs, long events) {
        reports.add(new SweepReport(
                sweepId,
                commandId,
                partition,
                commandId == null ? "SCHEDULE" : "COMMAND",
                startedMs,
                7,
                startedMs,
                startedMs + 5,
                1,
                Map.of("MAX_AGE", new Tally(events, events * 10)),
                Map.of(),
                2,
                1,
                "enforce",
                false));
        return this;
    }

    private Cover cover(long nowMs) {
        return nowMs <= noticeUntilMs ? Cover.NOTICE : Cover.ofHold(isHeld);
    }

    FakeInsight standing(StoredEvent event, boolean isHeld) {
        standings.put(event.event().id(), event);
        this.isHeld = isHeld;
        return this;
    }

    private final class Explain implements ExplainQueries {

        @Override
        public Optional<Standing> standing(StreamName stream, EventId id, PolicySet policies, long nowMs) {
            return Optional.ofNullable(standings.get(id)).map(event -> {
                var decision = RetentionDecider.decide(
                        event, Place.WITHIN_CAPS, policies.effective(stream), cover(nowMs), nowMs);
                return new Standing(event, decision, isHeld, null, noticeUntilMs);
            });
        }

        @Override
        public List<String> sweepProblems(StreamName stream) {
            return sweepProblems;
        }

        @Override
        public EndsInWaiting endsInWaiting(StreamName stream) {
            return new EndsInWaiting(waiting.size(), waiting);
        }
    }

    private static <T> HistoryPage<T> page(List<T> all, Predicate<T> filter, String after, int limit) {
        if (after != null && !after.matches("\\d+")) {
            throw new BadCursorException();
        }
        List<T> asked = all.stream().filter(filter).toList();
        int from = Math.min(asked.size(), after == null ? 0 : Integer.parseInt(after));
        int to = Math.min(asked.size(), from + limit);
        return new HistoryPage<>(asked.subList(from, to), to == asked.size() ? null : Integer.toString(to));
    }

    private final class Audit implements AuditQueries {

        @Override
        public HistoryPage<AuditRecord> list(AuditFilter filter, String after, int limit) {
            return page(audited, filter, after, limit);
        }

        @Override
        public boolean visit(AuditFilter filter, Predicate<AuditRecord> visitor) {
            return audited.stream().filter(filter).allMatch(visitor);
        }

        @Override
        public Optional<AuditRecord> find(String auditId) {
            return audited.stream()
                    .filter(entry -> entry.auditId().equals(auditId))
                    .findFirst();
        }
    }

    private final class Reports implements ReportQueries {

        @Override
        public HistoryPage<SweepReport> list(TimeRange time, String after, int limit) {
            return page(reports, report -> time.contains(report.completedMs()), after, limit);
        }

        @Override
        public List<SweepReport> find(String sweepOrCommand) {
            return reports.stream()
                    .filter(report -> report.isOf(sweepOrCommand))
                    .toList();
        }
    }

    private final class Rejected implements RejectedQueries {

        @Override
        public HistoryPage<RejectedRecord> list(String reason, TimeRange time, String after, int limit) {
            return page(rejected, record -> reason == null || reason.equals(record.reason()), after, limit);
        }

        @Override
        public Optional<RejectedRecord> find(Id id) {
            return rejected.stream().filter(record -> record.id().equals(id)).findFirst();
        }

        @Override
        public String replay(RejectedRecord record) {
            if (record.topic().isEmpty()) {
                throw new NotReplayableException("nobody knows where it came from");
            }
            replayed.add(record);
            return record.topic();
        }
    }

    private final class Archive implements ArchiveQueries {

        @Override
        public HistoryPage<ArchivedRecord> list(ArchiveFilter filter, String after, int limit) {
            return page(archived, record -> filter.test(record.archived()), after, limit);
        }
    }

    private final class Forecast implements DueForecast {

        @Override
        public Outlook outlook() {
            Map<Integer, Map<String, DueSums>> counted = new HashMap<>();
            for (int partition = 0; partition < FakeInstances.PARTITIONS; partition++) {
                counted.put(partition, partition == duePartition ? due : Map.of());
            }
            return new Outlook(counted, FakePorts.T0.toEpochMilli());
        }
    }
}
