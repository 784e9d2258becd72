package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static dev.ebb.topology.TopologyFixture.T0;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.CollidingNames;
import dev.ebb.serde.records.Decoded;
import dev.ebb.topology.wire.SafeTimestampExtractor;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Unusable records go unchanged to the rejected topic, and processing goes on. */
@Tag("O-20")
class RejectedRecordsTest {

    private static final byte[] KEY = "s".getBytes(StandardCharsets.UTF_8);

    private final TopologyFixture fixture = TopologyFixture.inMemory();

    @AfterEach
    void close() {
        fixture.close();
    }

    @ParameterizedTest
    @EnumSource(RejectReason.class)
    void shouldPassOnUnchangedWhatCannotBeRead(RejectReason reason) {
        // given
        byte[] value = fixture.records.bytes(new Decoded.Bad(new Rejection(reason, "because of this")));
        Headers headers = new RecordHeaders().add("own", new byte[] {1, 2});
        fixture.event(event("s", "before"));

        // when
        fixture.send(KEY, value, T0 - 77, headers);
        fixture.event(event("s", "after"));

        // then
        TestRecord<byte[], byte[]> rejected = onlyRejected();
        assertThat(rejected.key()).isEqualTo(KEY);
        assertThat(rejected.value()).isEqualTo(value);
        assertThat(rejected.timestamp()).isEqualTo(T0 - 77);
        assertThat(rejected.headers().lastHeader("own").value()).containsExactly(1, 2);
        assertThat(ebbHeaders(rejected))
                .isEqualTo(Map.of(
                        "ebb-rejected-reason", reason.name(),
                        "ebb-rejected-detail", "because of this",
                        "ebb-rejected-topic", "ebb.events",
                        "ebb-rejected-partition", "0",
                        "ebb-rejected-offset", "1",
                        "ebb-rejected-timestamp", Long.toString(T0 - 77)));
        assertThat(fixture.observer.rejected).containsExactly(reason);
        assertThat(fixture.ids("s")).containsExactly("before", "after");
    }

    @Test
    void shouldRejectARecordWithoutAValue() {
        // when
        fixture.send(KEY, null, T0);

        // then
        assertThat(onlyRejected().value()).isNull();
        assertReason(RejectReason.UNDECODABLE, "the record has no value");
    }

    @Test
    void shouldRejectTimesThatCannotBe() {
        fixture.event(event("s", "a").occurredAt(-1L));

        assertReason(RejectReason.BAD_TIME, "occurredAt -1 is read as 1969-12-31, before 1971");
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    void shouldRejectExecutionsBelowZero() {
        fixture.event(event("s", "a").execution(-1));

        assertReason(RejectReason.BAD_EXECUTION, "execution must be at least 0, was -1");
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    @Tag("O-24")
    void shouldRejectAStatusThatTheIndexOfSqlCannotTake() {
        // when
        fixture.event(event("s", "long").status("s".repeat(3000)));

        // then
        assertReason(RejectReason.BAD_NAME, "status must not be longer than 255 bytes, has 3000");
        assertThat(fixture.mirrorLog).isEmpty();

        // when
        fixture.event(event("s", "later"));

        // then
        assertThat(fixture.ids("s")).containsExactly("later");
    }

    @Test
    @Tag("O-24")
    void shouldRejectStatusesWithBlanksThatWouldProtectForEver() {
        // when
        fixture.event(event("s", "a").status("completed "));
        fixture.event(event("s", "b").status(" "));
        fixture.event(event("s", "c").status("completed"));
        fixture.update(new EventUpdate(new StreamName("s"), new EventId("c"), " completed", null, null, null), T0);

        // then
        assertThat(fixture.observer.rejected)
                .containsExactly(RejectReason.BAD_NAME, RejectReason.BAD_NAME, RejectReason.BAD_NAME);
        assertThat(fixture.stored())
                .singleElement()
                .satisfies(stored -> assertThat(stored.event().status()).isEqualTo("completed"));
    }

    @Test
    void shouldRejectMoreMetadataThanAnEventMayHave() {
        // given
        Map<String, String> most = CollidingNames.metadata(CollidingNames.forJava(1000));
        fixture.event(event("s", "a").metadata(most));

        // when
        fixture.event(event("s", "b").metadata(CollidingNames.metadata(CollidingNames.forJava(1001))));
        fixture.update(update("a", Map.of("n".repeat(1025), "")), T0);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.BAD_METADATA, RejectReason.BAD_METADATA);
        assertThat(fixture.stored()).singleElement().satisfies(stored -> {
            assertThat(stored.event().id()).isEqualTo(new EventId("a"));
            assertThat(stored.event().metadata()).isEqualTo(most);
        });
    }

    private static EventUpdate update(String id, Map<String, String> metadata) {
        return new EventUpdate(new StreamName("s"), new EventId(id), null, null, null, metadata);
    }

    @Test
    void shouldRejectARecordThatIsTooBigBeforeReadingIt() {
        // given
        int limit = fixture.settings().recordMaxBytes() - 1024;

        // when
        fixture.send(KEY, new byte[limit + 1], T0);
        fixture.send(KEY, new byte[limit], T0);

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.TOO_BIG, RejectReason.UNDECODABLE);
    }

    @Test
    void shouldRejectAnEventWhoseRowWouldBeTooBigBeforeAnythingIsWritten() {
        // given
        fixture.event(event("s", "a").type("before"));
        int rows = fixture.mirrorLog.size();

        // when
        fixture.event(event("s", "a").type("after").payloadBytes(1024 * 1024));
        fixture.event(event("t", "new").payloadBytes(1024 * 1024));

        // then
        assertThat(fixture.observer.rejected).containsExactly(RejectReason.TOO_BIG, RejectReason.TOO_BIG);
        assertThat(fixture.stored())
                .singleElement()
                .satisfies(stored -> assertThat(stored.event().type()).isEqualTo("before"));
        assertThat(fixture.mirrorLog).hasSize(rows);
    }

    @Test
    void shouldTakeANegativeTimestampForBadInput() {
        // given
        ConsumerRecord<Object, Object> record = new ConsumerRecord<>(
                "ebb.events", 0, 5, -1, TimestampType.CREATE_TIME, 1, 1, null, null, new RecordHeaders(), null);

        // when
        long timestamp = new SafeTimestampExtractor().extract(record, 99);
        fixture.send(KEY, fixture.records.bytes(event("s", "a").build()), timestamp, record.headers());

        // then
        assertThat(timestamp).isZero();
        assertReason(RejectReason.BAD_TIMESTAMP, "the Kafka timestamp is -1");
        assertThat(ebbHeaders(onlyRejected()))
                .containsEntry("ebb-rejected-timestamp", "-1")
                .doesNotContainKey("ebb-bad-timestamp");
        assertThat(fixture.ids("s")).isEmpty();
    }

    @Test
    void shouldLeaveGoodTimestampsAlone() {
        ConsumerRecord<Object, Object> record = new ConsumerRecord<>(
                "ebb.events", 0, 5, 0, TimestampType.CREATE_TIME, 1, 1, null, null, new RecordHeaders(), null);

        assertThat(new SafeTimestampExtractor().extract(record, 99)).isZero();
        assertThat(record.headers()).isEmpty();
    }

    private TestRecord<byte[], byte[]> onlyRejected() {
        assertThat(fixture.rejected).hasSize(1);
        return fixture.rejected.get(0);
    }

    private void assertReason(RejectReason reason, String detail) {
        assertThat(ebbHeaders(onlyRejected()))
                .containsEntry("ebb-rejected-reason", reason.name())
                .containsEntry("ebb-rejected-detail", detail);
        assertThat(fixture.observer.rejected).containsExactly(reason);
    }

    private static Map<String, String> ebbHeaders(TestRecord<byte[], byte[]> record) {
        Map<String, String> headers = new TreeMap<>();
        record.headers().forEach(header -> {
            if (header.key().startsWith("ebb-")) {
                headers.put(header.key(), new String(header.value(), StandardCharsets.UTF_8));
            }
        });
        return headers;
    }
}
