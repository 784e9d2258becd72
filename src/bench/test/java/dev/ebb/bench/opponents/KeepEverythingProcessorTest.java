package dev.ebb.bench.opponents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Workload;
import dev.ebb.bench.stack.DrainWatch;
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
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeepEverythingTopologyTest {

    private static final Workload WORKLOAD = new Workload(1, 2000, 20, 1, 1_700_000_000_000L);
    private static final Topics TOPICS = new Topics("bench.", 1);

    @TempDir
    private Path folder;

    @Test
    void shouldHoldWhatTheModelExpectsAndSendARowForEachRecord() throws InterruptedException {
        // given
        AvroRecords records = InMemorySchemaRegistry.preparedRecords();
        DrainWatch watch = new DrainWatch(new long[] {WORKLOAD.events() - 1});
        var topology =
                new KeepEverythingTopology(TOPICS, Map.of(), records, new EventRows(new MirrorRows()), watch).build();

        try (var driver = new TopologyTestDriver(topology, settings())) {
            var input = driver.createInputTopic(TOPICS.events(), new ByteArraySerializer(), new ByteArraySerializer());

            // when
            WORKLOAD.generator().forEachRemaining(next -> {
                byte[] key = next.event().stream().value().getBytes(StandardCharsets.UTF_8);
                input.pipeInput(key, records.event(next.event()), next.timestampMs());
            });

            // then
            watch.awaitLast(Duration.ofSeconds(1));
            assertThat(contents(driver.getKeyValueStore(KeepEverythingTopology.STORE), records))
                    .isEqualTo(Model.all(WORKLOAD));
            var output = driver.createOutputTopic(
                    TOPICS.mirrorEvents(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
            assertThat(output.readRecordsToList()).hasSize(WORKLOAD.events()).allMatch(row -> row.value() != null);
        }
    }

    private Properties settings() {
        Properties settings = new Properties();
        settings.put(StreamsConfig.APPLICATION_ID_CONFIG, "keep-everything");
        settings.put(StreamsConfig.STATE_DIR_CONFIG, folder.toString());
        return settings;
    }

    private static Contents contents(KeyValueStore<Bytes, byte[]> store, AvroRecords records) {
        Contents all = Contents.NONE;
        try (var entries = store.all()) {
            while (entries.hasNext()) {
                Decoded decoded = records.read(TOPICS.events(), new RecordHeaders(), entries.next().value);
                Event event = ((Decoded.OfEvent) decoded).event();
                all = all.plus(Contents.of(event));
            }
        }
        return all;
    }
}
