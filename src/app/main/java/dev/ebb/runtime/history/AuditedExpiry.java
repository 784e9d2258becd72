package dev.ebb.runtime.history;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.port.ExpiredCounts;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.reads.StandingCount;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts, from the audit, the events that age and own TTLs have taken. The audit covers deletes of every instance,
 * whether or not the instance still runs.
 */
public final class AuditedExpiry implements ExpiredCounts, AutoCloseable {

    private static final Logger LOGGER = LoggerFactory.getLogger(AuditedExpiry.class);
    private static final long HOUR_MS = Duration.ofHours(1).toMillis();

    /** Age up to which a count is exact; an older one lags behind the deletes. */
    static final long EXACT_MS = 2000;

    private static final Set<String> CAUSES = Set.of(RemovalCause.TTL.name(), RemovalCause.MAX_AGE.name());

    private final KafkaAuditQueries audit;
    private final Clock clock;
    private final long maxClockDifferenceMs;
    private final StandingCount<Expired> expired;

    /**
     * @param maxClockDifference greatest difference between the clocks of the instances and the broker's clock, by
     *     which records are found
     * @param counter runs one count at a time; closed with this object
     * @param patience longest wait of a caller for a new count
     */
    public AuditedExpiry(
            KafkaAuditQueries audit,
            Clock clock,
            Duration maxClockDifference,
            ExecutorService counter,
            Duration patience) {
        this.audit = audit;
        this.clock = clock;
        this.maxClockDifferenceMs = maxClockDifference.toMillis();
        this.expired = new StandingCount<>(this::count, clock, counter, patience);
    }

    @Override
    public Expired lastHour() {
        try {
            return expired.get().map(this::ifFresh).orElseGet(this::unknown);
        } catch (NotReadyException | UnavailableException e) {
            LOGGER.atWarn().addKeyValue("problem", e.getMessage()).log("the audit of the last hour cannot be read");
            return unknown();
        }
    }

    @Override
    public void close() {
        expired.close();
    }

    /** A count that takes long is shown for a while, during which more events expire. */
    private Expired ifFresh(Expired counted) {
        boolean isFresh = clock.millis() - counted.countedAtMs() <= EXACT_MS;
        return new Expired(counted.byNamespace(), counted.isExact() && isFresh, counted.countedAtMs());
    }

    private Expired unknown() {
        return new Expired(Map.of(), false, clock.millis());
    }

    /** Counts without an upper limit of time, so that deletes by a clock that is ahead count as well. */
    private Expired count(long nowMs) {
        long fromMs = Math.max(0, nowMs - HOUR_MS);
        TimeRange written = new TimeRange(Math.max(0, fromMs - maxClockDifferenceMs), Long.MAX_VALUE);
        Map<String, Long> counts = new TreeMap<>();
        boolean isExact = audit.visit(written, entry -> {
            if (entry.atMs() >= fromMs) {
                add(counts, entry);
            }
            return !expired.isClosed();
        });
        return new Expired(counts, isExact, nowMs);
    }

    private static void add(Map<String, Long> counts, AuditRecord entry) {
        String stream = entry.stream();
        String cause = entry.cause();
        if (stream != null && cause != null && CAUSES.contains(cause)) {
            counts.merge(
                    new StreamName(stream).namespace(), (long) entry.eventIds().size(), Long::sum);
        }
    }
}
