package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.serde.records.DecodedCommand;
import dev.ebb.serde.records.RecordOrigin;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.topology.wire.Addressed;
import dev.ebb.topology.wire.StreamPartition;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that came with another key, or to another partition, than their stream has. */
@Tag("O-21")
class RekeyTest {

    private static final int PARTITIONS = 4;
    private static final String STREAM = "orders/eu-1";
    private static final int HOME = StreamPartition.of(new StreamName(STREAM), PARTITIONS);
    private static final int ELSEWHERE = (HOME + 1) % PARTITIONS;

    private final TestRecords records = new TestRecords();
    private final Topics topics = new Topics("ebb.", PARTITIONS);

    @ParameterizedTest
    @ValueSource(strings = {"orders/eu-1", "a", "é", "\uD83D\uDE80", "jobs"})
    void shouldPlaceStreamsWhereProducersPutTheirKeys(String name) {
        for (int partitions = 1; partitions < 20; partitions++) {
            assertThat(StreamPartition.of(new StreamName(name), partitions))
                    .isEqualTo(BuiltInPartitioner.partitionForKey(bytes(name), partitions));
        }
    }

    @Test
    void shouldStoreARecordThatIsAtHome() {
        // given
        TaskFixture task = task(HOME);

        // when
        task.process(topics.events(), bytes(STREAM), event(STREAM, "a").build());

        // then
        assertThat(task.rekeyed()).isEmpty();
        assertThat(task.stored(STREAM)).hasSize(1);
        assertThat(task.mirrorPartitions()).containsExactly(HOME);
    }

    @Test
    void shouldSendARecordHomeFromAnotherPartition() {
        // given
        TaskFixture task = task(ELSEWHERE);

        // when
        Event event = event(STREAM, "a").build();
        byte[] value = task.process(topics.events(), bytes(STREAM), event);

        // then
        Record<Addressed, byte[]> sent = task.rekeyed().get(0);
        assertThat(sent.key().key()).isEqualTo(bytes(STREAM));
        assertThat(sent.key().partition()).isEqualTo(HOME);
        assertThat(sent.value()).isEqualTo(value);
        assertThat(sent.timestamp()).isEqualTo(TaskFixture.TIMESTAMP);
        assertThat(sent.headers().lastHeader("own").value()).containsExactly(1);
        assertThat(task.stored(STREAM)).isEmpty();
        assertThat(task.observer.rekeyed).isEqualTo(1);
    }

    @Test
    void shouldGiveARecordTheKeyOfItsStream() {
        // given
        TaskFixture task = task(HOME);

        // when
        task.process(
                topics.events(), bytes("something else"), event(STREAM, "a").build());
        task.process(topics.events(), null, event(STREAM, "b").build());

        // then
        assertThat(task.rekeyed())
                .extracting(record -> new String(record.key().key(), StandardCharsets.UTF_8))
                .containsExactly(STREAM, STREAM);
        assertThat(task.rekeyed())
                .extracting(record -> record.key().partition())
                .containsOnly(HOME);
        assertThat(task.stored(STREAM)).isEmpty();
    }

    @Test
    void shouldStoreARecordThatCameHome() {
        // given
        TaskFixture from = task(ELSEWHERE);
        TaskFixture home = task(HOME);
        from.process(topics.events(), bytes("x"), event(STREAM, "a").build());

        // when
        Record<Addressed, byte[]> sent = from.rekeyed().get(0);
        home.process(topics.rekey(), sent.key().key(), sent.value());

        // then
        assertThat(home.rekeyed()).isEmpty();
        assertThat(home.stored(STREAM)).hasSize(1);
    }

    @Test
    void shouldKeepTheOrderOfRecordsThatWereSentTheSameWay() {
        // given
        TaskFixture task = task(ELSEWHERE);

        // when
        for (int i = 0; i < 5; i++) {
            task.process(topics.events(), bytes("x"), event(STREAM, "e" + i).build());
        }

        // then
        assertThat(task.rekeyed())
                .extracting(
                        record -> ((Event) records.object(record.value())).id().value())
                .containsExactly("e0", "e1", "e2", "e3", "e4");
    }

    @Test
    void shouldStoreInTheEndWhatCameWithAnotherKey() {
        try (TopologyFixture fixture = TopologyFixture.inMemory()) {
            // when
            byte[] value = fixture.records.bytes(event(STREAM, "a").build());
            fixture.send(bytes("other"), value, fixture.nowMs());

            // then
            assertThat(fixture.ids(STREAM)).containsExactly("a");
            assertThat(fixture.observer.rekeyed).isEqualTo(1);
            assertThat(fixture.rejected).isEmpty();
        }
    }

    @Test
    void shouldSendEachRecordToThePartitionOfItsAddress() {
        Addressed.Partitioner partitioner = new Addressed.Partitioner();

        assertThat(partitioner.partitions("t", new Addressed(null, 3), new byte[0], 4))
                .hasValue(Set.of(3));
        assertThat(partitioner.partitions("t", new Addressed(null, 3), new byte[0], 1))
                .hasValue(Set.of(0));
    }

    /** The id of a record that names none is the place at which it was sent, wherever it is read. */
    @Test
    @Tag("R-1")
    void shouldKeepThePlaceOfARecordInJson() {
        // given
        JsonRecords json = new JsonRecords();
        TaskFixture from = task(ELSEWHERE, json);
        TaskFixture home = task(HOME, json);

        // when
        from.process(topics.events(), bytes("x"), bytes("{\"id\":\"named\",\"stream\":\"" + STREAM + "\"}"));
        from.process(topics.events(), bytes(STREAM), bytes("{\"type\":\"unnamed\"}"));
        for (Record<Addressed, byte[]> sent : from.rekeyed()) {
            home.process(topics.rekey(), sent.key().key(), sent.value(), TaskFixture.TIMESTAMP, sent.headers());
        }

        // then
        assertThat(from.rekeyed()).hasSize(2);
        assertThat(home.rekeyed()).isEmpty();
        assertThat(home.stored(STREAM))
                .extracting(stored -> stored.event().id().value())
                .containsExactly("named", "ebb.events-" + ELSEWHERE + "-1");
    }

    /** A command in JSON that names no id keeps the one by which its sender can ask for the result (O-11). */
    @Test
    @Tag("R-1")
    void shouldKeepTheIdOfACommandInJson() {
        // given
        JsonRecords json = new JsonRecords();
        TaskFixture from = task(ELSEWHERE, json);
        TaskFixture home = task(HOME, json);
        home.process(topics.events(), bytes(STREAM), bytes("{\"id\":\"a\"}"));

        // when
        from.process(
                topics.commands(),
                bytes("x"),
                bytes("{\"verb\":\"delete\",\"stream\":\"" + STREAM + "\",\"actor\":\"me\"}"));
        Record<Addressed, byte[]> sent = from.commands().get(0);
        home.process(topics.commands(), sent.key().key(), sent.value(), TaskFixture.TIMESTAMP, sent.headers());
        home.tick(TaskFixture.TIMESTAMP + 1000);

        // then
        assertThat(sent.key().partition()).isEqualTo(HOME);
        assertThat(home.results()).isNotEmpty().allMatch(result -> result.commandId()
                .equals("ebb.commands-" + ELSEWHERE + "-0"));
    }

    /** Reads JSON as it is, and all else as the others do. */
    private static final class JsonRecords extends TestRecords {

        private final AvroRecords json = AvroRecords.of(AvroSettings.of(Map.of(AvroSettings.URL, "")));

        @Override
        public Decoded read(RecordOrigin origin, Headers headers, byte[] value) {
            return json.read(origin, headers, value);
        }

        @Override
        public DecodedCommand readCommand(RecordOrigin origin, Headers headers, byte[] value) {
            return json.readCommand(origin, headers, value);
        }
    }

    private TaskFixture task(int partition) {
        return task(partition, records);
    }

    private TaskFixture task(int partition, TestRecords records) {
        return new TaskFixture(topics, partition, records, TopologyFixture.settings(OptionalLong.of(1), 10));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
