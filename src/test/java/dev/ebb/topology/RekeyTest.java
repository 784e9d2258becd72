package dev.ebb.topology;

import static dev.ebb.model.EventBuilder.event;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.MirrorRows;
import dev.ebb.store.EventStore;
import dev.ebb.topology.TopologyFixture.RecordingObserver;
import dev.ebb.topology.TopologyFixture.TestCatchUp;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
    private final RecordingObserver observer = new RecordingObserver();
    private final Topics topics = new Topics("ebb.", PARTITIONS);

    @TempDir
    File folder;

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
        Task task = new Task(HOME);

        // when
        task.process(topics.events(), bytes(STREAM), event(STREAM, "a").build());

        // then
        assertThat(task.rekeyed()).isEmpty();
        assertThat(task.storedEvents()).isPositive();
        assertThat(task.mirrorPartitions()).containsExactly(HOME);
    }

    @Test
    void shouldSendARecordHomeFromAnotherPartition() {
        // given
        Task task = new Task(ELSEWHERE);

        // when
        Event event = event(STREAM, "a").build();
        byte[] value = task.process(topics.events(), bytes(STREAM), event);

        // then
        Record<Addressed, byte[]> sent = task.rekeyed().get(0);
        assertThat(sent.key().key()).isEqualTo(bytes(STREAM));
        assertThat(sent.key().partition()).isEqualTo(HOME);
        assertThat(sent.value()).isEqualTo(value);
        assertThat(sent.timestamp()).isEqualTo(7);
        assertThat(sent.headers().lastHeader("own").value()).containsExactly(1);
        assertThat(task.storedEvents()).isZero();
        assertThat(observer.rekeyed).isEqualTo(1);
    }

    @Test
    void shouldGiveARecordTheKeyOfItsStream() {
        // given
        Task task = new Task(HOME);

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
        assertThat(task.storedEvents()).isZero();
    }

    @Test
    void shouldStoreARecordThatCameHome() {
        // given
        Task from = new Task(ELSEWHERE);
        Task home = new Task(HOME);
        from.process(topics.events(), bytes("x"), event(STREAM, "a").build());

        // when
        Record<Addressed, byte[]> sent = from.rekeyed().get(0);
        home.process(topics.rekey(), sent.key().key(), sent.value());

        // then
        assertThat(home.rekeyed()).isEmpty();
        assertThat(home.storedEvents()).isPositive();
    }

    @Test
    void shouldKeepTheOrderOfRecordsThatWereSentTheSameWay() {
        // given
        Task task = new Task(ELSEWHERE);

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

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The task of one of several partitions, which the driver of whole topologies cannot play. */
    private final class Task {

        private final MockProcessorContext<Addressed, byte[]> context;
        private final RetentionProcessor processor;
        private final KeyValueStore<Bytes, byte[]> events;
        private final int partition;
        private long offset;

        Task(int partition) {
            this.partition = partition;
            TopologySettings settings = TopologyFixture.settings(OptionalLong.of(1), 10);
            TopologyParts parts = new TopologyParts(
                    records,
                    records,
                    new MirrorRows(),
                    new PolicyViews(settings.builtIn(), records),
                    new TestCatchUp(),
                    observer);
            context = new MockProcessorContext<>(new Properties(), new TaskId(0, partition), folder);
            context.setCurrentSystemTimeMs(TopologyFixture.T0);
            events = addStore(EventStore.EVENTS);
            addStore(EventStore.USAGE);
            processor = new RetentionProcessor(topics, settings, parts, new ThreadSlices(10, Duration.ofSeconds(1)));
            processor.init(context);
        }

        byte[] process(String topic, byte[] key, Event event) {
            byte[] value = records.bytes(event);
            process(topic, key, value);
            return value;
        }

        void process(String topic, byte[] key, byte[] value) {
            context.setRecordMetadata(topic, partition, offset++);
            processor.process(new Record<>(key, value, 7, new RecordHeaders().add("own", new byte[] {1})));
        }

        List<Record<Addressed, byte[]>> rekeyed() {
            return forwarded(RetentionTopology.REKEY_SINK);
        }

        List<Integer> mirrorPartitions() {
            return forwarded(RetentionTopology.MIRROR_SINK).stream()
                    .map(record -> record.key().partition())
                    .toList();
        }

        long storedEvents() {
            return events.approximateNumEntries();
        }

        @SuppressWarnings("unchecked")
        private List<Record<Addressed, byte[]>> forwarded(String sink) {
            return context.forwarded(sink).stream()
                    .map(forward -> (Record<Addressed, byte[]>) forward.record())
                    .toList();
        }

        private KeyValueStore<Bytes, byte[]> addStore(String name) {
            KeyValueStore<Bytes, byte[]> store =
                    Stores.inMemoryKeyValueStore(name).get();
            store.init(context.getStateStoreContext(), store);
            context.addStateStore(store);
            return store;
        }
    }
}
