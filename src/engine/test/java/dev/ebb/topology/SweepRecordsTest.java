package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records that a sweep sends: tombstones, audit records, a report. */
class SweepRecordsTest {

    private final TopologyFixture fixture =
            TopologyFixture.inMemory(TopologyFixture.settings(OptionalLong.of(1), 100_000));

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    @Tag("O-4")
    void shouldReportWhatItDid() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        fixture.policy(
                RetentionPolicy.of(Scope.stream("c")).maxCount(Limit.of(1)).build());
        long version = fixture.policies().version();
        fixture.event(event("a", "old1").payloadBytes(10));
        fixture.event(event("a", "old2").payloadBytes(20));
        fixture.event(event("a", "ttl").ttlSeconds(3));
        fixture.event(event("a", "p").status("pending"));
        fixture.advance(2000);
        fixture.event(event("b", "young"));
        fixture.event(event("b", "p").status("pending"));
        assertThat(fixture.reports).as("reports of sweeps that found nothing").isEmpty();

        // when
        fixture.advance(3001);
        fixture.event(event("c", "one"));
        fixture.event(event("c", "two"));
        fixture.event(event("c", "p").status("pending"));
        fixture.settle();

        // then
        SweepReport age = fixture.reports.get(0);
        assertThat(age.trigger()).isEqualTo("SCHEDULE");
        assertThat(age.partition()).isZero();
        assertThat(age.sweepPointMs()).isEqualTo(T0 + 5001);
        assertThat(age.policyVersion()).isEqualTo(version);
        assertThat(age.streamsProcessed()).isEqualTo(1);
        assertThat(age.protectedEvents()).isEqualTo(1);
        assertThat(age.isStoppedEarly()).isFalse();
        assertThat(age.deleted())
                .isEqualTo(Map.of(
                        "MAX_AGE",
                        new Tally(
                                2,
                                30
                                        + 2
                                                * event("a", "old1")
                                                        .payloadBytes(0)
                                                        .build()
                                                        .sizeBytes()),
                        "TTL",
                        new Tally(1, event("a", "ttl").build().sizeBytes())));
        SweepReport count = fixture.reports.get(1);
        assertThat(count.deleted()).containsOnlyKeys("MAX_COUNT");
        assertThat(count.deleted().values())
                .extracting(SweepReport.Tally::events)
                .containsExactly(2L);
        assertThat(count.sweepId()).isNotEqualTo(age.sweepId());
        assertThat(fixture.reports).hasSize(2);
    }

    @Test
    @Tag("O-3")
    void shouldSayInTheTombstoneWhyAndByWhatTheRowWent() {
        // given
        fixture.policy(
                RetentionPolicy.of(Scope.namespace("a")).maxAge(Limit.of(5000)).build());
        long version = fixture.policies().version();
        fixture.event(event("a/1", "age"));
        fixture.event(event("a/1", "ttl").ttlSeconds(2));

        // when
        fixture.advance(6000);

        // then
        String sweepId = fixture.reports.get(0).sweepId();
        List<TestRecord<byte[], byte[]>> tombstones = tombstones();
        assertThat(tombstones).hasSize(2);
        assertThat(tombstones.get(0).key()).isEqualTo(fixture.rows.eventKey(T0, "a/1", "age"));
        assertThat(headers(tombstones.get(0)))
                .isEqualTo(Map.of(
                        "ebb-cause",
                        "MAX_AGE",
                        "ebb-scope",
                        "namespace:a",
                        "ebb-policy-version",
                        Long.toString(version),
                        "ebb-sweep-id",
                        sweepId));
        assertThat(tombstones.get(1).key()).isEqualTo(fixture.rows.eventKey(T0, "a/1", "ttl"));
        assertThat(headers(tombstones.get(1)))
                .isEqualTo(Map.of(
                        "ebb-cause",
                        "TTL",
                        "ebb-scope",
                        "event",
                        "ebb-policy-version",
                        Long.toString(version),
                        "ebb-sweep-id",
                        sweepId));
        assertThat(tombstones.get(0).timestamp()).isEqualTo(T0 + 6000);
    }

    @Test
    @Tag("O-3")
    @Tag("I-5")
    void shouldJoinARunOfDeletesInOneAuditRecord() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .anchor(Anchor.OCCURRED)
                .build());
        long version = fixture.policies().version();
        fixture.event(event("s", "b").occurredAt(T0 - 10));
        fixture.event(event("s", "a").occurredAt(T0 - 30));
        fixture.event(event("s", "c").occurredAt(T0 - 5));

        // when
        fixture.advance(6000);

        // then
        long size = event("s", "a").build().sizeBytes();
        AuditRecord audit = fixture.audits.get(0);
        assertThat(fixture.audits).hasSize(1);
        assertThat(audit)
                .isEqualTo(new AuditRecord(
                                audit.auditId(),
                                Origin.ofSweep(fixture.reports.get(0).sweepId()),
                                new StreamName("s"),
                                RemovalCause.MAX_AGE,
                                "*",
                                version,
                                List.of("a", "b", "c"),
                                3 * size,
                                T0 - 30,
                                T0 - 5,
                                T0 + 6000)
                        .undoableUntil(T0 + 6000 + Duration.ofDays(1).toMillis()));
    }

    @Test
    @Tag("O-3")
    void shouldBeginAnotherAuditRecordAfterAThousandIds() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL).maxAge(Limit.of(5000)).build());
        for (int i = 0; i < 2500; i++) {
            fixture.event(event("s", "e" + i));
        }

        // when
        fixture.advance(6000);

        // then
        assertThat(fixture.audits).extracting(audit -> audit.eventIds().size()).containsExactly(1000, 1000, 500);
        assertThat(fixture.audits).extracting(AuditRecord::auditId).doesNotHaveDuplicates();
        assertThat(fixture.audits.stream().flatMap(audit -> audit.eventIds().stream()))
                .hasSize(2500)
                .doesNotHaveDuplicates();
    }

    @Test
    @Tag("O-3")
    void shouldKeepStreamsAndCausesApartInTheAudit() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .maxCount(Limit.of(1))
                .build());
        fixture.event(event("a", "old"));
        fixture.event(event("a", "ttl").ttlSeconds(1));
        fixture.event(event("b", "old"));
        fixture.catchUp.isCaughtUp = false;
        fixture.advance(6000);
        fixture.event(event("b", "one"));
        fixture.event(event("b", "two"));
        fixture.catchUp.isCaughtUp = true;

        // when
        fixture.settle();

        // then
        assertThat(fixture.audits)
                .extracting(audit -> audit.stream() + " " + audit.cause() + " " + audit.eventIds())
                .containsExactlyInAnyOrder("a MAX_AGE [old]", "a TTL [ttl]", "b MAX_AGE [old]", "b MAX_COUNT [one]");
    }

    @Test
    @Tag("M-14")
    void shouldSendTombstonesInTheOrderOfDeletion() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .anchor(Anchor.OCCURRED)
                .build());
        fixture.event(event("s", "third").occurredAt(T0 - 10));
        fixture.event(event("s", "second").occurredAt(T0 - 20).ttlSeconds(1));
        fixture.event(event("s", "fourth").occurredAt(T0 - 10));
        fixture.event(event("s", "first").occurredAt(T0 - 30));

        // when
        fixture.advance(6000);

        // then
        assertThat(tombstones())
                .extracting(record -> new String(record.key(), StandardCharsets.UTF_8))
                .usingElementComparator((key, id) -> key.contains(id) ? 0 : 1)
                .containsExactly("\"first\"", "\"second\"", "\"third\"", "\"fourth\"");
    }

    @Test
    @Tag("O-19")
    void shouldMeasureHowLateADeletionIs() {
        // given
        fixture.policy(RetentionPolicy.of(Scope.ALL)
                .maxAge(Limit.of(5000))
                .maxCount(Limit.of(2))
                .build());
        fixture.event(event("s", "by count"));
        fixture.event(event("s", "by age"));
        fixture.event(event("s", "by ttl").ttlSeconds(2));
        fixture.catchUp.isCaughtUp = true;

        // when
        fixture.advance(1000);
        fixture.catchUp.isCaughtUp = false;
        fixture.advance(7000);
        fixture.catchUp.isCaughtUp = true;
        fixture.settle();

        // then a sweep at T0 + 9000: due by age at T0 + 5000, by own TTL at T0 + 2000
        assertThat(fixture.observer.lateness).containsExactly(-1L, 4000L, 7000L);
    }

    private List<TestRecord<byte[], byte[]>> tombstones() {
        return fixture.mirrorLog.stream()
                .filter(record -> record.value() == null)
                .toList();
    }

    private static Map<String, String> headers(TestRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers().forEach(header -> headers.put(header.key(), EbbHeaders.text(record.headers(), header.key())));
        return headers;
    }
}
