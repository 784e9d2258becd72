package dev.ebb.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.RejectedQueries.NotReplayableException;
import dev.ebb.port.history.RejectedRecord;
import dev.ebb.port.history.RejectedRecord.Id;
import dev.ebb.port.history.TimeRange;
import dev.ebb.runtime.history.KafkaAuditQueries;
import dev.ebb.runtime.history.KafkaRejectedQueries;
import dev.ebb.runtime.history.KafkaReportQueries;
import dev.ebb.runtime.history.TopicReader;
import dev.ebb.serde.records.ReportReader;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HistoryQueriesTest {

    private static final long SWEPT_MS = 1_795_255_200_000L;

    private final MemoryLog log = new MemoryLog();
    private final TopicReader topic = new TopicReader(() -> log, Duration.ofSeconds(30));
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final KafkaRejectedQueries rejected = new KafkaRejectedQueries(topic, producer, new Topics("ebb.", 2));
    private final KafkaAuditQueries audit = new KafkaAuditQueries(topic, new TextReports(), 1);
    private final KafkaReportQueries reports = new KafkaReportQueries(topic, new TextReports());

    @Test
    @Tag("O-3")
    void shouldFindAuditRecordByTheTimeInItsId() {
        // given
        for (int i = 0; i < 20_000; i++) {
            log.add(0, i, SWEPT_MS + (i - 100) * 60_000L, "sweep-0-" + (SWEPT_MS + (i - 100) * 60_000L) + "-ffff-0");
        }

        // when
        Optional<AuditRecord> found = audit.find("sweep-0-" + SWEPT_MS + "-ffff-0");

        // then
        assertThat(found).map(AuditRecord::auditId).hasValue("sweep-0-" + SWEPT_MS + "-ffff-0");
        assertThat(log.recordsRead).isLessThan(300);
        assertThat(audit.find("nobody")).isEmpty();
    }

    /** C-13: the deletes from a stream are looked for in its partition alone. */
    @Test
    @Tag("C-13")
    void shouldReadThePartitionOfAStreamAlone() {
        // given
        KafkaAuditQueries spread = new KafkaAuditQueries(topic, new TextReports(), 2);
        int partition = StreamPartition.of(new StreamName("orders/1"), 2);
        log.add(partition, 0, 100, "a-1").add(1 - partition, 0, 200, "a-2");

        // when
        var page = spread.list(AuditFilter.within(TimeRange.ALWAYS).ofStream("orders/1"), null, 10);

        // then
        assertThat(page.next()).isNull();
        assertThat(log.recordsRead).isEqualTo(1);
    }

    /** C-13: a sweep has deleted nothing before its id was made. */
    @Test
    @Tag("C-13")
    void shouldLookForTheDeletesOfASweepFromItsBeginningOn() {
        // given
        for (int i = 0; i < 5000; i++) {
            log.add(0, i, SWEPT_MS - (5000 - i) * 60_000L, "a-" + i);
        }
        var ofSweep = AuditFilter.within(TimeRange.ALWAYS).ofSweep("sweep-0-" + SWEPT_MS + "-ffff");

        // when
        var page = audit.list(ofSweep, null, 10);

        // then
        assertThat(page.next()).isNull();
        assertThat(log.recordsRead).isLessThan(100);
    }

    /** The id of a command is a text of its sender: a number in it that looks like a time is none. */
    @Test
    void shouldReadNoTimeInTheIdOfACommand() {
        // given
        log.add(0, 0, SWEPT_MS, "a-1");
        var ofCommand = AuditFilter.within(TimeRange.ALWAYS).ofSweep("nightly-" + (SWEPT_MS + 1_000_000_000L) + "-x");

        // when
        audit.list(ofCommand, null, 10);

        // then
        assertThat(log.recordsRead).isEqualTo(1);
    }

    @Test
    void shouldLeaveOutRecordsThatAreNoAudit() {
        // given
        log.add(0, 0, 100, "a-1").add(0, 1, 200, "").add(0, 2, 300, "a-2");

        // when
        var page = audit.list(AuditFilter.within(TimeRange.ALWAYS), null, 10);

        // then
        assertThat(page.items()).extracting(AuditRecord::auditId).containsExactly("a-2", "a-1");
    }

    @Test
    @Tag("O-4")
    void shouldFindReportsOfAllPartitionsOfACommand() {
        // given
        long startedMs = SWEPT_MS + 19_990 * 60_000L;
        log.add(0, 0, startedMs, "c-1")
                .add(1, 0, startedMs + 10, "c-1")
                .add(1, 1, startedMs + 20, "other")
                .add(2, 7, startedMs + 30, "c-1");

        // then
        assertThat(reports.find("c-1")).hasSize(3);
        assertThat(reports.find("nobody")).isEmpty();
        assertThat(reports.list(TimeRange.ALWAYS, null, 2).items()).hasSize(2);
    }

    @Test
    void shouldNotReadOnLongAfterTheReportsOfACommandHaveEnded() {
        // given
        for (int i = 0; i < 20_000; i++) {
            log.add(0, i, SWEPT_MS + i * 60_000L, i == 19_990 ? "c-1" : "other");
        }

        // then
        assertThat(reports.find("c-1")).hasSize(1);
        assertThat(log.recordsRead).isLessThan(1000);
    }

    @Test
    @Tag("O-20")
    void shouldReadWhyARecordWasRejectedAndWhereItCameFrom() {
        // given
        log.add(1, 4, 900, "bytes", headers("ebb.events", "-1"));

        // when
        RejectedRecord record = rejected.find(new Id(1, 4)).orElseThrow();

        // then
        assertThat(record.reason()).isEqualTo("BAD_TIMESTAMP");
        assertThat(record.detail()).isEqualTo("negative");
        assertThat(record.topic()).isEqualTo("ebb.events");
        assertThat(record.partition()).isEqualTo(3);
        assertThat(record.offset()).isEqualTo(77);
        assertThat(record.timestampMs()).isEqualTo(-1);
        assertThat(record.rejectedAtMs()).isEqualTo(900);
        assertThat(record.headers()).extracting(RejectedRecord.Header::name).containsExactly("trace");
        assertThat(rejected.list("BAD_TIMESTAMP", TimeRange.ALWAYS, null, 9).items())
                .hasSize(1);
        assertThat(rejected.list("BAD_TTL", TimeRange.ALWAYS, null, 9).items()).isEmpty();
    }

    @ParameterizedTest
    @Tag("O-20")
    @CsvSource({"ebb.events,ebb.events,500,500", "ebb.rekey,ebb.events,500,500", "ebb.policies,ebb.policies,-1,"})
    void shouldSendRecordUntouchedBackWhereItCameFrom(String from, String to, String timestamp, Long sentWith) {
        // given
        log.add(0, 0, 900, "bytes", headers(from, timestamp));

        // when
        String target = rejected.replay(rejected.find(new Id(0, 0)).orElseThrow());

        // then
        assertThat(target).isEqualTo(to);
        ProducerRecord<byte[], byte[]> sent = producer.history().get(0);
        assertThat(sent.topic()).isEqualTo(to);
        assertThat(sent.partition()).isNull();
        assertThat(new String(sent.value(), UTF_8)).isEqualTo("bytes");
        assertThat(sent.timestamp()).isEqualTo(sentWith);
        assertThat(sent.headers()).extracting(header -> header.key()).containsExactly("trace");
    }

    @ParameterizedTest
    @CsvSource({"''", "ebb.policies.accepted", "ebb.mirror.events", "somebody.elses"})
    void shouldSendNothingToTopicsThatOnlyEbbWrites(String from) {
        // given
        log.add(0, 0, 900, "bytes", headers(from, "5"));
        RejectedRecord record = rejected.find(new Id(0, 0)).orElseThrow();

        // then
        assertThatThrownBy(() -> rejected.replay(record)).isInstanceOf(NotReplayableException.class);
        assertThat(producer.history()).isEmpty();
    }

    /** The rejected topic takes bigger records than the others, and a producer may have compressed it better. */
    @Test
    @Tag("O-20")
    void shouldTellThatARecordIsTooBigToBeSentOnceMore() {
        // given
        log.add(0, 0, 900, "bytes", headers("ebb.events", "5"));
        RejectedRecord record = rejected.find(new Id(0, 0)).orElseThrow();
        producer.sendException = new RecordTooLargeException("too big");

        // then
        assertThatThrownBy(() -> rejected.replay(record))
                .isInstanceOf(NotReplayableException.class)
                .hasMessageContaining("record 0-0 is too big");
    }

    @Test
    void shouldTellThatTheBrokerDidNotTakeIt() {
        // given
        log.add(0, 0, 900, "bytes", headers("ebb.events", "5"));
        RejectedRecord record = rejected.find(new Id(0, 0)).orElseThrow();
        producer.sendException = new TimeoutException("no broker");

        // then
        assertThatThrownBy(() -> rejected.replay(record)).isInstanceOf(UnavailableException.class);
    }

    @Test
    @Tag("O-20")
    void shouldNotSendARecordWhoseValueWasLeftOut() {
        // given
        RecordHeaders headers = headers("ebb.events", "5");
        headers.add("ebb-rejected-value-bytes", "3000000".getBytes(UTF_8));
        headers.add("ebb-rejected-value-sha256", "ab12".getBytes(UTF_8));
        headers.add("ebb-rejected-key-bytes", "4".getBytes(UTF_8));
        headers.add("ebb-rejected-headers-left-out", "1".getBytes(UTF_8));
        log.add(0, 0, 900, "", headers);

        // when
        RejectedRecord record = rejected.find(new Id(0, 0)).orElseThrow();

        // then
        assertThat(record.leftOut()).isEqualTo(new RejectedRecord.LeftOut(3_000_000, "ab12", 4, 1));
        assertThatThrownBy(() -> rejected.replay(record))
                .isInstanceOf(NotReplayableException.class)
                .hasMessageContaining("its value of 3000000 bytes was left out");
        assertThat(producer.history()).isEmpty();
    }

    private static RecordHeaders headers(String topic, String timestamp) {
        RecordHeaders headers = new RecordHeaders();
        Map.of(
                        "trace", "t-1",
                        "ebb-apply-id", "a",
                        "ebb-rejected-reason", "BAD_TIMESTAMP",
                        "ebb-rejected-detail", "negative",
                        "ebb-rejected-topic", topic,
                        "ebb-rejected-partition", "3",
                        "ebb-rejected-offset", "77",
                        "ebb-rejected-timestamp", timestamp)
                .forEach((name, value) -> headers.add(name, value.getBytes(UTF_8)));
        return headers;
    }

    /** Reads the text of a record as its id. */
    private static final class TextReports implements ReportReader {

        @Override
        public Optional<AuditRecord> readAudit(byte[] value) {
            String id = new String(value, StandardCharsets.UTF_8);
            return id.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new AuditRecord(
                            id, "DELETE", 1, "*", null, null, "s", "TTL", 1L, List.of(), 1, 1L, 1L, null, "", "", null,
                            null, null, null));
        }

        @Override
        public Optional<SweepReport> readReport(byte[] value) {
            String id = new String(value, StandardCharsets.UTF_8);
            long started = id.equals("c-1") ? SWEPT_MS + 19_990 * 60_000L : 1;
            return Optional.of(new SweepReport(
                    "s",
                    id,
                    0,
                    "COMMAND",
                    started,
                    1,
                    started,
                    started,
                    1,
                    Map.of("TTL", new Tally(1, 1)),
                    Map.of(),
                    0,
                    0,
                    "",
                    false));
        }
    }
}
