package dev.ebb.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Rate;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.opponents.TutorialTopology;
import dev.ebb.bench.runs.sweep.SqlSweepTrial;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Model;
import dev.ebb.bench.stack.sql.MirrorChanges;
import dev.ebb.bench.stack.sql.SqlPeer;
import dev.ebb.domain.event.Event;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.records.Decoded;
import dev.ebb.topology.wire.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proves that the other systems do the work in which Ebb is compared with them. */
class PeersTest {

    private static final String TOPIC = "events";

    @TempDir
    private Path folder;

    @Test
    void shouldDeleteInSqlWhatTheModelSaysAndKeepTheRest() throws InterruptedException {
        // given
        Workload workload = new Workload(1, 3000, 20, 4, 1_700_000_000_000L, Mix.USUAL.withoutTtl());

        // when: it compares what is left itself
        Rate rate = new SqlSweepTrial(SqlPeer.sqlite(folder), workload, CpuMeter::new, () -> {}).run();

        // then
        assertThat(rate.count()).isEqualTo(Model.due(workload));
    }

    @Test
    void shouldExpireByTheTutorialWhatIsTooOldAndNothingElse() {
        // given
        Workload workload = new Workload(1, 1000, 20, 1, 1_700_000_000_000L);
        AvroRecords records = InMemorySchemaRegistry.preparedRecords();
        AtomicLong maxAgeMs = new AtomicLong(Duration.ofHours(2).toMillis());
        AtomicLong scans = new AtomicLong();
        var topology = new TutorialTopology(
                        TOPIC,
                        maxAgeMs::get,
                        Duration.ofSeconds(1),
                        new DrainWatch(new long[] {workload.events() - 1}),
                        (partition, cpuNanos) -> scans.incrementAndGet())
                .build();

        try (var driver = new TopologyTestDriver(topology, settings(), Instant.ofEpochMilli(workload.endMs()))) {
            var input = driver.createInputTopic(TOPIC, new ByteArraySerializer(), new ByteArraySerializer());
            Map<String, Long> lastUpdates = new LinkedHashMap<>();
            workload.generator().forEachRemaining(next -> {
                String key = EventSender.BY_IDENTITY.apply(next.event());
                lastUpdates.put(key, next.timestampMs());
                input.pipeInput(key.getBytes(StandardCharsets.UTF_8), records.event(next.event()), next.timestampMs());
            });

            // when nothing is old enough
            driver.advanceWallClockTime(Duration.ofSeconds(1));

            // then
            assertThat(scans).hasValue(1);
            assertThat(contents(driver, records)).isEqualTo(Model.all(workload));

            // when half of it is
            long nowMs = workload.endMs() + 2000;
            long limitMs = workload.endMs() - Duration.ofMinutes(30).toMillis();
            maxAgeMs.set(nowMs - limitMs);
            driver.advanceWallClockTime(Duration.ofSeconds(1));

            // then
            long younger = lastUpdates.values().stream()
                    .filter(time -> time >= limitMs)
                    .count();
            assertThat(contents(driver, records).events()).isEqualTo(younger).isBetween(400L, 600L);
            var tombstones = driver.createOutputTopic(TOPIC, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            assertThat(tombstones.readRecordsToList())
                    .hasSize(lastUpdates.size() - (int) younger)
                    .allMatch(record -> record.value() == null);
        }
    }

    @Test
    void shouldLeaveTheNewestRowsOfTheMirror() {
        // given
        MirrorChanges changes = new MirrorChanges(1, 1000, 4);
        Map<String, Event> rows = new HashMap<>();

        // when
        changes.all().forEach(change -> {
            Event event = change.event().event();
            if (change.isDelete()) {
                assertThat(rows.remove(event.id().value())).isNotNull();
            } else {
                rows.put(event.id().value(), event);
            }
        });

        // then
        assertThat(rows.values().stream().map(Contents::of).reduce(Contents.NONE, Contents::plus))
                .isEqualTo(changes.left().contents());
        assertThat(changes.all()).filteredOn(MirrorChanges.Change::isDelete).hasSize(250);
    }

    @Test
    void shouldDivideTheRowsOfTheMirrorByPartitionAndKeepTheirOrder() {
        // given
        MirrorChanges changes = new MirrorChanges(1, 1000, 4);

        // when
        List<List<MirrorChanges.Change>> parts = changes.parts(2);

        // then
        assertThat(parts).hasSize(2);
        for (int part = 0; part < 2; part++) {
            int first = 2 * part;
            assertThat(parts.get(part).stream().map(PeersTest::text))
                    .containsExactlyElementsOf(changes.all().stream()
                            .filter(change -> partition(change) == first || partition(change) == first + 1)
                            .map(PeersTest::text)
                            .toList())
                    .isNotEmpty();
        }
    }

    private static String text(MirrorChanges.Change change) {
        return change.event().event().id() + (change.isDelete() ? " goes" : " comes");
    }

    private static int partition(MirrorChanges.Change change) {
        return StreamPartition.of(change.event().event().stream(), 4);
    }

    private Properties settings() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "tutorial");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        return settings;
    }

    private static Contents contents(TopologyTestDriver driver, AvroRecords records) {
        Contents all = Contents.NONE;
        try (var entries = driver.<byte[], byte[]>getTimestampedKeyValueStore(TutorialTopology.TABLE)
                .all()) {
            while (entries.hasNext()) {
                Decoded decoded = records.read(
                        TOPIC, new RecordHeaders(), entries.next().value.value());
                all = all.plus(Contents.of(((Decoded.OfEvent) decoded).event()));
            }
        }
        return all;
    }
}
