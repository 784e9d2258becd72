package dev.ebb.runtime;

import dev.ebb.config.EbbConfig;
import dev.ebb.runtime.kafka.KafkaClients;
import dev.ebb.runtime.kafka.TopicPlan;
import dev.ebb.runtime.life.LifecycleObserver;
import dev.ebb.runtime.life.Resources;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.topology.wire.Topics;
import java.time.Clock;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;

/**
 * Connections of an instance to Kafka and to the schema registry.
 *
 * @param resources the resources to close at the end of the instance
 * @param admin closed with these resources, as are the records
 */
record Connections(
        EbbConfig config,
        Clock clock,
        LifecycleObserver observer,
        Resources resources,
        KafkaClients clients,
        Admin admin,
        AvroRecords records) {

    /** Longest wait at the end for answers that no caller waits for any more, since the broker may be away. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

    /** Creates the connections; connects to nothing yet. */
    static Connections of(EbbConfig config, Clock clock, LifecycleObserver observer) {
        Resources resources = new Resources();
        KafkaClients clients = new KafkaClients(config);
        Admin admin = clients.admin();
        resources.add((AutoCloseable) () -> admin.close(CLOSE_LIMIT));
        AvroRecords records = resources.add(AvroRecords.of(AvroSettings.of(config.avroProperties())));
        return new Connections(config, clock, observer, resources, clients, admin, records);
    }

    Topics topics() {
        return TopicPlan.topics(config);
    }

    /** Adds a resource that is closed at the end of the instance, before those that were added earlier; returns it. */
    <T extends AutoCloseable> T add(T resource) {
        return resources.add(resource);
    }
}
