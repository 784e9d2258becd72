package dev.ebb.runtime.forecast;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.DeletionHistory.Deletions;
import dev.ebb.runtime.MemoryLog;
import dev.ebb.runtime.SameThread;
import dev.ebb.serde.records.ReportReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

@Tag("C-3")
class AuditedDeletionsTest {

    private static final long MINUTE = 60_000;
    private static final List<Long> BUCKETS = List.of(0L, 100 * MINUTE, 200 * MINUTE, 400 * MINUTE);

    private static final long TAIL = 3000;

    private final MemoryLog log = new MemoryLog();
    private boolean isAway;
    private long nanos;
    private final AuditedDeletions history = new AuditedDeletions(
            () -> {
                if (isAway) {
                    throw new TimeoutException("no broker");
                }
                return log;
            },
            new TextAudit(),
            TAIL,
            () -> nanos,
            new SameThread());

    @Test
    void shouldAddUpDeletesByNamespaceAndCause() {
        // given
        add(0, 0, 10, "orders/1 MAX_AGE").add(0, 1, 150, "orders/2 MAX_AGE").add(1, 0, 150, "users/1 TTL");
        log.add(0, 2, 151 * MINUTE, "policy");

        // when
        Deletions told = history.deletions(null, BUCKETS);

        // then
        assertThat(told.isComplete()).isTrue();
        assertThat(told.sinceMs()).isEqualTo(10 * MINUTE);
        assertThat(told.namespaces())
                .isEqualTo(Map.of(
                        "orders",
                        Map.of("MAX_AGE", List.of(new Tally(1, 100), new Tally(1, 100), Tally.ZERO)),
                        "users",
                        Map.of("TTL", List.of(Tally.ZERO, new Tally(1, 100), Tally.ZERO))));
        assertThat(history.deletions("users", BUCKETS).namespaces()).containsOnlyKeys("users");
    }

    /** What has come since is read alone; nothing is read twice. */
    @Test
    @Tag("C-13")
    void shouldReadEachRecordOnce() {
        // given
        for (int i = 0; i < 10_000; i++) {
            add(i % 3, i / 3, i % 300, "orders/1 TTL");
        }
        history.deletions(null, BUCKETS);
        assertThat(log.recordsRead).isEqualTo(10_000);

        // when
        nanos += Duration.ofSeconds(1).toNanos();
        add(0, 4000, 350, "orders/1 TTL");
        Deletions told = history.deletions(null, BUCKETS);

        // then
        assertThat(log.recordsRead).isEqualTo(10_001);
        assertThat(told.namespaces().get("orders").get("TTL").stream()
                        .mapToLong(Tally::events)
                        .sum())
                .isEqualTo(10_001);
        assertThat(told.isComplete()).isTrue();
    }

    /** The newest records come first, so that the last days are known while the rest is being read. */
    @Test
    void shouldSayHowFarBackItKnows() {
        // given
        for (int i = 0; i < 10_000; i++) {
            add(0, i, i, "orders/1 TTL");
        }
        log.meanwhile = () -> nanos += log.reads >= 8 ? Duration.ofMinutes(2).toNanos() : 0;
        List<Long> last = List.of(9_000 * MINUTE, 10_000 * MINUTE);

        // when
        Deletions part = history.deletions(null, BUCKETS);

        // then
        assertThat(part.isComplete()).isFalse();
        assertThat(part.sinceMs()).isBetween(MINUTE, 9_000 * MINUTE);

        // when
        log.meanwhile = () -> {};
        Deletions whole = history.deletions(null, BUCKETS);

        // then
        assertThat(whole.isComplete()).isTrue();
        assertThat(whole.sinceMs()).isZero();
        assertThat(history.deletions(null, last).namespaces().get("orders").get("TTL"))
                .containsExactly(new Tally(1000, 100_000));
    }

    /** A quiet time leaves more than can be read at once, ten times as much here: each question goes on, to the end. */
    @Test
    void shouldCatchUpWithMoreThanOneReadHasTimeFor() {
        // given
        add(0, 0, 10, "orders/1 TTL");
        history.deletions(null, BUCKETS);
        log.mostVisited = 700;
        for (int i = 1; i <= 7000; i++) {
            add(0, i + 1, 10 + i % 300, "orders/1 TTL");
        }

        // when
        Deletions told = history.deletions(null, BUCKETS);
        for (int i = 0; i < 5 && !told.isComplete(); i++) {
            nanos += Duration.ofMinutes(5).toNanos();
            told = history.deletions(null, BUCKETS);
        }

        // then
        assertThat(told.isComplete()).isTrue();
        assertThat(told.namespaces().get("orders").get("TTL").stream()
                        .mapToLong(Tally::events)
                        .sum())
                .isEqualTo(7001);
    }

    /** Where the sums are by the day, no bucket of an hour passes for precise. */
    @Test
    void shouldSayFromWhenOnBucketsHaveTheirOwnDeletes() {
        // given: more namespaces by the minute than there is room for
        for (int i = 0; i < 110_000; i++) {
            add(0, i, i / 1000, "n" + i % 1000 + "/1 TTL");
        }

        // when
        Deletions told = history.deletions("n1", List.of(0L, 7 * MINUTE, 60 * MINUTE, 110 * MINUTE));

        // then
        assertThat(told.preciseFromMs()).isEqualTo(60 * MINUTE);
        assertThat(told.namespaces().get("n1").get("TTL").get(2).events()).isEqualTo(50);
        assertThat(history.deletions("n1", List.of(60 * MINUTE, 110 * MINUTE)).preciseFromMs())
                .isNull();
    }

    @Test
    void shouldKnowNothingWhileTheBrokerIsAway() {
        // given
        add(0, 0, 10, "orders/1 MAX_AGE");
        isAway = true;

        // when
        Deletions told = history.deletions(null, BUCKETS);

        // then
        assertThat(told.isComplete()).isFalse();
        assertThat(told.sinceMs()).isNull();
        assertThat(told.namespaces()).isEmpty();
        isAway = false;
        assertThat(history.deletions(null, BUCKETS).isComplete()).isTrue();
    }

    @Test
    @Tag("O-28")
    void shouldSayOnceThatTheAuditCannotBeRead() {
        // given
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger(AuditedDeletions.class);
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
        isAway = true;

        // when
        for (int i = 0; i < 3; i++) {
            history.deletions(null, BUCKETS);
        }

        // then
        logger.detachAppender(lines);
        logger.setLevel(null);
        assertThat(lines.list).hasSize(1);
    }

    /** The past is there when a page opens: the tail of the audit is read from the start of the instance on. */
    @Test
    void shouldKnowTheTailBeforeTheFirstQuestion() {
        // given
        for (int i = 0; i < 10_000; i++) {
            add(0, i, i, "orders/1 TTL");
        }

        // when
        history.keepUp();

        // then blocks are read as a whole
        assertThat(log.recordsRead).isBetween((int) TAIL, 2 * (int) TAIL);

        // when what comes is read
        int before = log.recordsRead;
        add(0, 10_001, 10_001, "orders/1 TTL");
        history.keepUp();

        // then
        assertThat(log.recordsRead).isEqualTo(before + 1);

        // when a question comes while the broker is away
        isAway = true;
        List<Long> last = List.of(9_000 * MINUTE, 11_000 * MINUTE);
        Deletions told = history.deletions(null, last);

        // then
        assertThat(told.sinceMs()).isBetween(MINUTE, 9_000 * MINUTE);
        assertThat(told.namespaces().get("orders").get("TTL")).containsExactly(new Tally(1001, 100_100));
    }

    /** However much has come without a question, each round reads no more than the tail, and the last is known. */
    @Test
    void shouldBeginAnewFromTheEndWhenItIsFarBehind() {
        // given
        add(0, 0, 10, "orders/1 TTL");
        history.keepUp();
        for (int i = 0; i < 50_000; i++) {
            add(0, 10 + i, 100 + i, "orders/1 TTL");
        }
        log.recordsRead = 0;

        // when
        history.keepUp();

        // then
        assertThat(log.recordsRead).isLessThan(2 * (int) TAIL);

        // when
        Deletions told = history.deletions(null, List.of(0L, 100_000 * MINUTE));

        // then nothing is counted twice and nothing is missing
        assertThat(told.isComplete()).isTrue();
        assertThat(told.namespaces().get("orders").get("TTL")).containsExactly(new Tally(50_001, 5_000_100));
    }

    /** What has come while there were questions is read on, more than fits into one block. */
    @Test
    void shouldReadOnWhatHasComeSinceTheLastQuestion() {
        // given
        add(0, 0, 10, "orders/1 TTL").add(1, 0, 10, "orders/2 TTL");
        history.deletions(null, BUCKETS);
        for (int i = 0; i < 9_000; i++) {
            add(0, 10 + i, 300, "orders/1 TTL");
        }
        log.recordsRead = 0;

        // when
        Deletions told = history.deletions(null, BUCKETS);

        // then
        assertThat(log.recordsRead).isEqualTo(9_000);
        assertThat(told.isComplete()).isTrue();
        assertThat(told.namespaces().get("orders").get("TTL"))
                .containsExactly(new Tally(2, 200), Tally.ZERO, new Tally(9_000, 900_000));
    }

    @Test
    void shouldReadNothingOnceItIsClosed() {
        // given
        add(0, 0, 10, "orders/1 MAX_AGE");
        history.close();

        // then
        assertThat(history.deletions(null, BUCKETS).isComplete()).isFalse();
        assertThat(log.recordsRead).isZero();
    }

    private AuditedDeletionsTest add(int partition, long offset, long minute, String text) {
        log.add(partition, offset, minute * MINUTE, text + " " + minute * MINUTE);
        return this;
    }

    /** Reads texts of stream, cause and time; others are no deletes. */
    private static final class TextAudit implements ReportReader {

        @Override
        public Optional<AuditRecord> readAudit(byte[] value) {
            String[] words = new String(value, StandardCharsets.UTF_8).split(" ", -1);
            if (words.length < 3) {
                return Optional.empty();
            }
            long atMs = Long.parseLong(words[2]);
            return Optional.of(new AuditRecord(
                    "a",
                    Origin.ofSweep("s"),
                    new StreamName(words[0]),
                    RemovalCause.valueOf(words[1]),
                    "*",
                    1,
                    List.of("e"),
                    100,
                    1,
                    2,
                    atMs));
        }

        @Override
        public Optional<SweepReport> readReport(byte[] value) {
            return Optional.empty();
        }
    }
}
