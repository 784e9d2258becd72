package dev.ebb.bench.opponents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.SliceCpu;
import dev.ebb.bench.load.EventGenerator;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.Model;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryIndexProcessorTest {

    private static final Workload WORKLOAD = new Workload(1, 2000, 20, 1, 1_700_000_000_000L);
    private static final Topics TOPICS = new Topics("bench.", 1);
    private static final long MONTH_MS = Duration.ofDays(30).toMillis();
    private static final Duration SECOND = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private final AvroRecords records = InMemorySchemaRegistry.preparedRecords();
    private final AtomicLong maxAgeMs = new AtomicLong(MONTH_MS);
    private final AtomicLong expired = new AtomicLong();
    private TopologyTestDriver driver;
    private TestInputTopic<byte[], byte[]> input;

    @BeforeEach
    void takeIn() {
        var settings = new ExpiryIndexProcessor.Settings(
                maxAgeMs::get,
                new SharedSlices(Duration.ofMinutes(1)),
                SECOND,
                expired::incrementAndGet,
                new SliceCpu());
        var rows = new EventRows(new MirrorRows());
        var topology = new RowTopology(TOPICS, Map.of())
                .build(
                        ExpiryIndexProcessor.STORES,
                        () -> new ExpiryIndexProcessor(records, rows, settings, (partition, offset) -> {}));
        driver = new TopologyTestDriver(topology, properties(), Instant.ofEpochMilli(WORKLOAD.endMs()));
        input = driver.createInputTopic(TOPICS.events(), new ByteArraySerializer(), new ByteArraySerializer());
        WORKLOAD.generator().forEachRemaining(next -> {
            byte[] key = next.event().stream().value().getBytes(StandardCharsets.UTF_8);
            input.pipeInput(key, records.event(next.event()), next.timestampMs());
        });
    }

    @AfterEach
    void close() {
        driver.close();
    }

    @Test
    void shouldHoldWhatTheModelExpectsAndSendARowForEachRecord() {
        // when
        driver.advanceWallClockTime(SECOND);

        // then
        assertThat(contents()).isEqualTo(Model.all(WORKLOAD));
        assertThat(rows()).hasSize(WORKLOAD.events()).allMatch(row -> row.value() != null);
        assertThat(expired).hasValue(0);
    }

    @Test
    void shouldExpireWhatIsDueByTheFirstLimit() {
        // given
        rows();

        // when
        driver.advanceWallClockTime(Duration.ofDays(31));

        // then
        assertThat(contents()).isEqualTo(Model.survivors(WORKLOAD, EventRows::isProtected));
        assertThat(rows()).hasSize((int) expired.get()).allMatch(row -> row.value() == null);
        assertThat(entries()).isZero();
    }

    @Test
    void shouldExpireWhatIsDueByAnotherLimit() {
        // given
        rows();

        // when it looks for the first time
        maxAgeMs.set(1);
        driver.advanceWallClockTime(SECOND);

        // then
        assertThat(contents()).isEqualTo(Model.guarded(WORKLOAD));
        assertThat(expired).hasValue(Model.due(WORKLOAD));
        assertThat(rows()).hasSize((int) Model.due(WORKLOAD)).allMatch(row -> row.value() == null);
    }

    @Test
    void shouldKeepWhatIsDueByTheFormerLimitWhenTheNewOneIsLonger() {
        // given
        maxAgeMs.set(2 * MONTH_MS);

        // when
        driver.advanceWallClockTime(Duration.ofDays(31));

        // then
        assertThat(contents())
                .isEqualTo(Model.survivors(
                        WORKLOAD,
                        event -> EventRows.isProtected(event) || !event.ttl().isFinite()));
    }

    /** Ages of a millisecond below a limit, at it and above it. */
    @Test
    void shouldExpireWhatIsOlderThanTheLimit() {
        // given a second in which nothing else falls due
        driver.advanceWallClockTime(SECOND);
        long nowMs = WORKLOAD.endMs() + 2 * SECOND.toMillis();
        long limitMs = nowMs - (WORKLOAD.endMs() + 500);
        maxAgeMs.set(limitMs);
        long before = contents().events();
        put("below", nowMs - limitMs + 1);
        put("at", nowMs - limitMs);
        put("above", nowMs - limitMs - 1);

        // when
        driver.advanceWallClockTime(SECOND);

        // then
        assertThat(ids()).contains("below", "at").doesNotContain("above");
        assertThat(contents().events()).isLessThan(before);
    }

    /** Its head has gone beyond what comes late. */
    @Test
    void shouldExpireWhatComesLateAfterALongerLimit() {
        // given
        maxAgeMs.set(1);
        driver.advanceWallClockTime(SECOND);
        maxAgeMs.set(MONTH_MS);
        put("late", WORKLOAD.endMs() - MONTH_MS - 1);
        put("young", WORKLOAD.endMs());

        // when
        driver.advanceWallClockTime(SECOND);

        // then
        assertThat(ids()).contains("young").doesNotContain("late");
    }

    private void put(String id, long occurredAt) {
        Event event = EventGenerator.event(
                new StreamName("bench/own"),
                new EventId(id),
                EventGenerator.COMPLETED,
                occurredAt,
                OwnTtl.NONE,
                new byte[0]);
        input.pipeInput("bench/own".getBytes(StandardCharsets.UTF_8), records.event(event), WORKLOAD.endMs());
    }

    private Properties properties() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "expiry-index");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        return settings;
    }

    private List<TestRecord<byte[], byte[]>> rows() {
        return driver.createOutputTopic(TOPICS.mirrorEvents(), new ByteArrayDeserializer(), new ByteArrayDeserializer())
                .readRecordsToList();
    }

    private long entries() {
        long count = 0;
        KeyValueStore<Bytes, byte[]> index = driver.getKeyValueStore(ExpiryIndexProcessor.INDEX);
        try (var entries = index.all()) {
            while (entries.hasNext()) {
                entries.next();
                count++;
            }
        }
        return count;
    }

    private Contents contents() {
        return stored().stream().map(Contents::of).reduce(Contents.NONE, Contents::plus);
    }

    private List<String> ids() {
        return stored().stream().map(event -> event.id().value()).toList();
    }

    private List<Event> stored() {
        List<Event> all = new ArrayList<>();
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(ExpiryIndexProcessor.EVENTS);
        try (var entries = store.all()) {
            while (entries.hasNext()) {
                IndexedEvent stored = Objects.requireNonNull(IndexedEvent.read(entries.next().value));
                Decoded decoded = records.read(TOPICS.events(), new RecordHeaders(), stored.value());
                all.add(((Decoded.OfEvent) decoded).event());
            }
        }
        return all;
    }
}
