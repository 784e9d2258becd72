package dev.ebb.runtime.sources;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.plugins.ConnectReaders;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.serde.schemas.ConfluentSchemaRegistry;
import dev.ebb.serde.source.SourceFormats;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.source.RecordFetch;
import dev.ebb.topology.source.SourceObserver;
import dev.ebb.topology.wire.RecordLimits;
import dev.ebb.topology.wire.Topics;
import java.nio.file.Path;

/**
 * Parts of an instance that its sources use.
 *
 * @param clients makes the clients of Kafka
 * @param memory memory that all stores of the instance share
 * @param writer writes events; must be prepared
 * @param fetch finds records that were overtaken
 * @param observer is told of the work
 */
public record SourceParts(
        EbbConfig config,
        KafkaClients clients,
        SharedMemory memory,
        RecordWriter writer,
        RecordFetch fetch,
        SourceObserver observer) {

    Topics topics() {
        return TopicPlan.topics(config);
    }

    RecordLimits limits() {
        return new RecordLimits(config.get(Settings.RECORD_MAX_BYTES));
    }

    SourceFormats formats() {
        return formats(config);
    }

    /** Returns what reads records of any format, by the settings of Avro and of plugins; the caller closes it. */
    public static SourceFormats formats(EbbConfig config) {
        return new SourceFormats(
                () -> ConfluentSchemaRegistry.of(AvroSettings.of(config.avroProperties())),
                () -> new ConnectReaders(config.get(Settings.SOURCES_PLUGIN_PATH).stream()
                        .map(Path::of)
                        .toList()));
    }
}
