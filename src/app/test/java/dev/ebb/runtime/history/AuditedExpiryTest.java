package dev.ebb.runtime.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.ExpiredCounts.Expired;
import dev.ebb.runtime.MemoryLog;
import dev.ebb.runtime.ReadingSide;
import dev.ebb.runtime.SameThread;
import dev.ebb.runtime.reads.StandingCount;
import dev.ebb.serde.records.ReportReader;
import dev.ebb.serde.schemas.RegistryUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Events that expired in the last hour, counted from the audit. */
@DisplayName("TtlStatsAreExact")
@Tag("O-3")
class AuditedExpiryTest {

    private static final long NOW = 1_800_000_000_000L;
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final Duration MAX_CLOCK_DIFFERENCE = Duration.ofMinutes(10);

    private final MemoryLog log = new MemoryLog();
    private final TopicReader topic = new TopicReader(this::open, Duration.ofSeconds(30));
    private long nowMs = NOW;
    private boolean isBrokerAway;
    private final Clock clock = new ReadingSide.TestClock(() -> nowMs);
    private final AuditedExpiry expiry = started();

    /** The hour includes its last millisecond, like the range of coming deletions. */
    @ParameterizedTest
    @CsvSource({"-1,5", "0,5", "1,0"})
    void shouldCountAnHourToTheMillisecond(long laterMs, long expired) {
        // given
        long deletedMs = NOW - HOUR;
        deleted(0, 0, deletedMs, deletedMs + 30, "orders/1", "TTL", 5);

        // when
        nowMs = NOW + laterMs;

        // then
        assertThat(expiry.lastHour().of("orders")).isEqualTo(expired);
        assertThat(expiry.lastHour().isExact()).isTrue();
        assertThat(expiry.lastHour().countedAtMs()).isEqualTo(nowMs);
    }

    @ParameterizedTest
    @CsvSource({"TTL,3", "MAX_AGE,3", "MAX_COUNT,0", "MAX_BYTES,0", "DELETE,0", "PURGE,0", "PRUNE,0", "NEWER_ONE,0"})
    void shouldCountExpiredEventsOnly(String cause, long expired) {
        // given
        deleted(0, 0, NOW - 1, NOW, "orders/1", cause, 3);

        // then
        assertThat(expiry.lastHour().of("orders")).isEqualTo(expired);
    }

    @Test
    void shouldLeaveOutEntriesOtherThanDeletes() {
        // given
        log.add(0, 0, NOW, "policy").add(0, 1, NOW, "");
        deleted(0, 2, NOW, NOW, "orders/1", "TTL", 1);

        // then
        assertThat(expiry.lastHour().byNamespace()).containsOnlyKeys("orders").containsEntry("orders", 1L);
    }

    @Test
    void shouldAddUpOverPartitionsAndStreamsOfANamespace() {
        // given
        deleted(0, 0, NOW - 2, NOW, "orders/1", "TTL", 1000);
        deleted(1, 0, NOW - 1, NOW, "orders/2", "MAX_AGE", 7);
        deleted(1, 1, NOW - 1, NOW, "kafka/2", "MAX_AGE", 4);
        deleted(3, 9, NOW - HOUR / 2, NOW - HOUR / 2, "orders/1", "TTL", 20);

        // when
        Expired expired = expiry.lastHour();

        // then
        assertThat(expired.of("orders")).isEqualTo(1027);
        assertThat(expired.of("kafka")).isEqualTo(4);
        assertThat(expired.of("nobody")).isZero();
    }

    /** An instance that started later counts the deletes of another without its help. */
    @Test
    void shouldCountOverARestart() {
        // given
        deleted(0, 0, NOW - 10 * MINUTE, NOW - 10 * MINUTE, "orders/1", "TTL", 5);
        assertThat(expiry.lastHour().of("orders")).isEqualTo(5);
        expiry.close();

        // when
        AuditedExpiry restarted = started();
        deleted(0, 2, NOW, NOW, "orders/1", "TTL", 2);

        // then
        assertThat(restarted.lastHour().of("orders")).isEqualTo(7);
        nowMs = NOW + 50 * MINUTE + 1;
        assertThat(restarted.lastHour().of("orders")).isEqualTo(2);
    }

    /**
     * The broker's time differs from the time of the record: the clock of the deleting instance may be behind, ahead,
     * or ours.
     */
    @ParameterizedTest
    @ValueSource(longs = {-600_000, -1, 0, 1, 600_000})
    void shouldGoByTheTimeOfTheDelete(long brokerAheadMs) {
        // given
        long first = NOW - HOUR;
        deleted(0, 0, first - 1, first - 1 + brokerAheadMs, "orders/1", "TTL", 100);
        deleted(0, 1, first, first + brokerAheadMs, "orders/1", "TTL", 10);
        deleted(0, 2, NOW + 5, NOW + brokerAheadMs, "orders/1", "TTL", 1);

        // then
        assertThat(expiry.lastHour().of("orders")).isEqualTo(11);
    }

    @Test
    void shouldReadNoMoreThanTheHourAndTheDifferenceOfClocks() {
        // given
        for (int i = 0; i < 10_000; i++) {
            long atMs = NOW - (9999 - i) * MINUTE;
            deleted(0, i, atMs, atMs, "orders/1", "TTL", 1);
        }

        // then
        assertThat(expiry.lastHour().of("orders")).isEqualTo(61);
        assertThat(log.recordsRead).isEqualTo(71);
    }

    @Test
    void shouldCountAgainOnlyAfterASecond() {
        // given
        deleted(0, 0, NOW, NOW, "orders/1", "TTL", 1);
        expiry.lastHour();
        deleted(0, 1, NOW, NOW, "orders/1", "TTL", 1);

        // when / then
        nowMs += 999;
        assertThat(expiry.lastHour()).isEqualTo(new Expired(Map.of("orders", 1L), true, NOW));
        nowMs += 1;
        assertThat(expiry.lastHour()).isEqualTo(new Expired(Map.of("orders", 2L), true, NOW + 1000));
    }

    /** A count that took half a second stands for ten seconds, in which more events may have expired. */
    @ParameterizedTest
    @CsvSource({"1999, true", "2000, true", "2001, false"})
    void shouldNotClaimToBeExactWhileItLags(long laterMs, boolean isExact) {
        // given
        deleted(0, 0, NOW, NOW, "orders/1", "TTL", 1);
        log.meanwhile = () -> nowMs += 500;
        expiry.lastHour();
        log.meanwhile = () -> {};

        // when
        nowMs = NOW + laterMs;

        // then
        assertThat(expiry.lastHour()).isEqualTo(new Expired(Map.of("orders", 1L), isExact, NOW));
    }

    @Test
    void shouldSayAtLeastWhenTheTimeIsUp() {
        // given
        for (int i = 0; i < 1000; i++) {
            deleted(0, i, NOW, NOW, "orders/1", "TTL", 1);
        }
        log.readsUntilTimeIsUp = 1;

        // when
        Expired expired = expiry.lastHour();

        // then
        assertThat(expired.isExact()).isFalse();
        assertThat(expired.of("orders")).isPositive().isLessThan(1000);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldSayThatTheAuditCannotBeReadAndTryAgain(boolean isBroker) {
        // given
        deleted(0, 0, NOW, NOW, "orders/1", "TTL", 1);
        if (isBroker) {
            isBrokerAway = true;
        } else {
            log.add(0, 1, NOW, "unknown");
        }

        // when / then
        assertThat(expiry.lastHour()).isEqualTo(new Expired(Map.of(), false, NOW));
        isBrokerAway = false;
        log.partitions.get(0).removeIf(record -> MemoryLog.text(record).equals("unknown"));
        assertThat(expiry.lastHour()).isEqualTo(new Expired(Map.of("orders", 1L), true, NOW));
    }

    private AuditedExpiry started() {
        var audit = new KafkaAuditQueries(topic, new TextAudit(), 1);
        return new AuditedExpiry(audit, clock, MAX_CLOCK_DIFFERENCE, new SameThread(), StandingCount.PATIENCE);
    }

    private RecordLog open() {
        if (isBrokerAway) {
            throw new TimeoutException("no broker");
        }
        return log;
    }

    private void deleted(
            int partition, long offset, long deletedMs, long brokerMs, String stream, String cause, int events) {
        log.add(partition, offset, brokerMs, String.join(" ", "" + deletedMs, stream, cause, "" + events));
    }

    /** Reads time, place, cause and number from words. */
    private static final class TextAudit implements ReportReader {

        @Override
        public Optional<AuditRecord> readAudit(byte[] value) {
            String[] words = new String(value, StandardCharsets.UTF_8).split(" ", -1);
            return switch (words[0]) {
                case "" -> Optional.empty();
                case "unknown" -> throw new RegistryUnavailableException("no registry", null);
                case "policy" -> Optional.of(entry("POLICY_SET", NOW, null, null, List.of()));
                default ->
                    Optional.of(entry(
                            "DELETE",
                            Long.parseLong(words[0]),
                            words[1],
                            words[2],
                            Collections.nCopies(Integer.parseInt(words[3]), "e")));
            };
        }

        private static AuditRecord entry(String action, long atMs, String stream, String cause, List<String> ids) {
            return new AuditRecord(
                    "a", action, atMs, "*", null, null, stream, cause, 1L, ids, 1, null, null, null, "", "", null, null,
                    null, null);
        }

        @Override
        public Optional<SweepReport> readReport(byte[] value) {
            return Optional.empty();
        }
    }
}
