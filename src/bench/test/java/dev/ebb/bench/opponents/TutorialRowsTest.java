package dev.ebb.bench.opponents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.DrainWatch;
import dev.ebb.bench.stack.EventSender;
import dev.ebb.bench.stack.Model;
import dev.ebb.serde.InMemorySchemaRegistry;
import dev.ebb.serde.mirror.MirrorRows;
import dev.ebb.serde.records.AvroRecords;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TutorialRowsTest {

    private static final Workload WORKLOAD = new Workload(1, 1000, 20, 1, 1_700_000_000_000L);
    private static final String EVENTS = "events";
    private static final String ROWS = "rows";

    @TempDir
    private Path folder;

    @Test
    void shouldSendARowForEachEventAndTakeItBackWhenItExpires() {
        // given
        AvroRecords records = InMemorySchemaRegistry.preparedRecords();
        AtomicLong maxAgeMs = new AtomicLong(Duration.ofDays(30).toMillis());
        var way = new TutorialRows.Way(EVENTS, records, new EventRows(new MirrorRows()), ROWS);
        var topology = new TutorialTopology(
                        EVENTS,
                        maxAgeMs::get,
                        Duration.ofSeconds(1),
                        new DrainWatch(new long[] {WORKLOAD.events() - 1}),
                        (partition, cpuNanos) -> {},
                        Optional.of(way))
                .build();

        try (var driver = new TopologyTestDriver(topology, settings(), Instant.ofEpochMilli(WORKLOAD.endMs()))) {
            var input = driver.createInputTopic(EVENTS, new ByteArraySerializer(), new ByteArraySerializer());
            var output = driver.createOutputTopic(ROWS, new ByteArrayDeserializer(), new ByteArrayDeserializer());
            Map<Bytes, byte[]> table = new HashMap<>();

            // when
            WORKLOAD.generator().forEachRemaining(next -> {
                byte[] key = EventSender.BY_IDENTITY.apply(next.event()).getBytes(StandardCharsets.UTF_8);
                input.pipeInput(key, records.event(next.event()), next.timestampMs());
            });

            // then
            write(output.readRecordsToList(), table);
            assertThat(table).hasSize((int) Model.all(WORKLOAD).events());

            // when
            maxAgeMs.set(0);
            driver.advanceWallClockTime(Duration.ofSeconds(1));

            // then
            write(output.readRecordsToList(), table);
            assertThat(table).isEmpty();
        }
    }

    private static void write(List<TestRecord<byte[], byte[]>> rows, Map<Bytes, byte[]> table) {
        for (TestRecord<byte[], byte[]> row : rows) {
            if (row.value() == null) {
                assertThat(table.remove(Bytes.wrap(row.key()))).isNotNull();
            } else {
                table.put(Bytes.wrap(row.key()), row.value());
            }
        }
    }

    private Properties settings() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "tutorial-rows");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        return settings;
    }
}
