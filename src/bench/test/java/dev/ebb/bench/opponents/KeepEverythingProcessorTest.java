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
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeepEverythingProcessorTest {

    private static final Workload WORKLOAD = new Workload(1, 2000, 20, 1, 1_700_000_000_000L);
    private static final Topics TOPICS = new Topics("bench.", 1);

    @TempDir
    private Path folder;

    @Test
    void shouldHoldWhatTheModelExpectsAndSendARowForEachRecord() {
        // given
        AvroRecords records = InMemorySchemaRegistry.preparedRecords();
        AtomicLong last = new AtomicLong();
        var rows = new EventRows(new MirrorRows());
        var topology = new RowTopology(TOPICS, Map.of())
                .build(
                        List.of(KeepEverythingProcessor.STORE),
                        () -> new KeepEverythingProcessor(records, rows, (partition, offset) -> last.set(offset)));

        try (var driver = new TopologyTestDriver(topology, settings())) {
            var input = driver.createInputTopic(TOPICS.events(), new ByteArraySerializer(), new ByteArraySerializer());

            // when
            WORKLOAD.generator().forEachRemaining(next -> {
                byte[] key = next.event().stream().value().getBytes(StandardCharsets.UTF_8);
                input.pipeInput(key, records.event(next.event()), next.timestampMs());
            });

            // then
            assertThat(last).hasValue(WORKLOAD.events() - 1);
            assertThat(contents(driver.getKeyValueStore(KeepEverythingProcessor.STORE), records))
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
