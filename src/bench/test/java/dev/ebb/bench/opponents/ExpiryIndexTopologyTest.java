package dev.ebb.bench.opponents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.Model;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.topology.wire.Topics;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExpiryIndexTopologyTest {

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

    @BeforeEach
    void takeIn() {
        var settings = new ExpiryIndexTopology.Settings(
                maxAgeMs::get, Duration.ofMinutes(1), SECOND, expired::incrementAndGet);
        var rows = new EventRows(new MirrorRows());
        var topology =
                new ExpiryIndexTopology(TOPICS, Map.of(), records, rows, settings, (partition, offset) -> {}).build();
        driver = new TopologyTestDriver(topology, properties(), Instant.ofEpochMilli(WORKLOAD.endMs()));
        var input = driver.createInputTopic(TOPICS.events(), new ByteArraySerializer(), new ByteArraySerializer());
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

        // when
        maxAgeMs.set(1);
        driver.advanceWallClockTime(SECOND);
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
        KeyValueStore<Bytes, byte[]> index = driver.getKeyValueStore(ExpiryIndexTopology.INDEX);
        try (var entries = index.all()) {
            while (entries.hasNext()) {
                entries.next();
                count++;
            }
        }
        return count;
    }

    private Contents contents() {
        Contents all = Contents.NONE;
        KeyValueStore<Bytes, byte[]> store = driver.getKeyValueStore(ExpiryIndexTopology.EVENTS);
        try (var entries = store.all()) {
            while (entries.hasNext()) {
                IndexedEvent stored = Objects.requireNonNull(IndexedEvent.read(entries.next().value));
                Decoded decoded = records.read(TOPICS.events(), new RecordHeaders(), stored.value());
                Event event = ((Decoded.OfEvent) decoded).event();
                all = all.plus(Contents.of(event));
            }
        }
        return all;
    }
}
