package dev.ebb.runtime;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.DueForecast;
import dev.ebb.port.EventQueries.EventPage;
import dev.ebb.port.EventQueries.EventQuery;
import dev.ebb.port.ExpiredCounts;
import dev.ebb.runtime.history.AuditedExpiry;
import dev.ebb.runtime.history.KafkaAuditQueries;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.runtime.reads.LocalDueForecast;
import dev.ebb.runtime.reads.LocalEventQueries;
import dev.ebb.runtime.reads.StandingCount;
import dev.ebb.serde.records.ReportReader;
import dev.ebb.store.read.ReadOnlyEventStore;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The answers of REST from one partition, with the time in the hands of the test. */
public final class ReadingSide {

    private final Supplier<ReadOnlyEventStore> store;
    private final Supplier<PolicySet> policies;
    private final Clock clock;

    public ReadingSide(Supplier<ReadOnlyEventStore> store, Supplier<PolicySet> policies, LongSupplier nowMs) {
        this.store = store;
        this.policies = policies;
        this.clock = new TestClock(nowMs);
    }

    /** The ids of the events that expire within a time, from all pages. */
    public List<String> expiring(String stream, Duration within, boolean includeExpired, int pageSize) {
        var queries = new LocalEventQueries(partition -> store.get(), 1, policies, clock);
        List<String> ids = new ArrayList<>();
        String cursor = null;
        do {
            var query = new EventQuery(includeExpired, null, within.toMillis(), null, cursor, pageSize);
            EventPage page = queries.events(new StreamName(stream), query);
            page.events().forEach(event -> ids.add(event.event().event().id().value()));
            cursor = page.next();
        } while (cursor != null);
        return ids;
    }

    /** Counts the coming deletions now. */
    public DueForecast.Outlook outlook() {
        var sources = new LocalDueForecast.Sources(partition -> store.get(), () -> List.of(0), policies);
        try (var forecast = new LocalDueForecast(sources, clock, new SameThread())) {
            return forecast.outlook();
        }
    }

    /** Counts the events that expired in the last hour in these records, as a freshly started instance does. */
    public ExpiredCounts.Expired expired(List<AuditRecord> audits) {
        MemoryLog log = new MemoryLog();
        for (int i = 0; i < audits.size(); i++) {
            log.add(0, i, audits.get(i).atMs(), Integer.toString(i));
        }
        var topic = new TopicReader(() -> log, Duration.ofSeconds(30));
        var audit = new KafkaAuditQueries(
                topic,
                new ReportReader() {
                    @Override
                    public Optional<AuditRecord> readAudit(byte[] value) {
                        return Optional.of(audits.get(Integer.parseInt(new String(value, StandardCharsets.UTF_8))));
                    }

                    @Override
                    public Optional<SweepReport> readReport(byte[] value) {
                        return Optional.empty();
                    }
                },
                1);
        try (var expiry = new AuditedExpiry(audit, clock, Duration.ZERO, new SameThread(), StandingCount.PATIENCE)) {
            return expiry.lastHour();
        }
    }

    public static final class TestClock extends Clock {

        private final LongSupplier nowMs;

        public TestClock(LongSupplier nowMs) {
            this.nowMs = nowMs;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(nowMs.getAsLong());
        }
    }
}
