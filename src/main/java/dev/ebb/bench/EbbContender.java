package dev.ebb.bench;

import dev.ebb.config.EbbConfig;
import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.metrics.PrometheusObserver;
import dev.ebb.runtime.ConfiguredTopology;
import dev.ebb.store.EventPage;
import dev.ebb.store.EventStore;
import dev.ebb.store.ReadOnlyEventStore;
import dev.ebb.topology.CatchUp;
import dev.ebb.topology.ClockWatch;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Ebb, with a policy under which nothing is due: events are kept for 30 days from when they happened, so that late ones
 * go before others that are stored already, and sweeps run from the first second on.
 */
final class EbbContender implements Contender {

    private static final int PAGE = 1000;

    private final BenchStack stack;

    EbbContender(BenchStack stack) {
        this.stack = stack;
    }

    @Override
    public String name() {
        return "ebb";
    }

    @Override
    public Topology topology(EbbConfig config, DrainWatch watch) throws InterruptedException {
        putInForce(RetentionPolicy.of(Scope.ALL).anchor(Anchor.OCCURRED).build());
        var configured = new ConfiguredTopology(config);
        var policies = configured.policyViews(stack.records());
        var observer = new PrometheusObserver(new PrometheusRegistry());
        return configured.build(stack.records(), policies, new AlwaysCaughtUp(watch), ClockWatch.SANE, observer);
    }

    /** Past the gate, so that it is in force before the first event and no run begins with a change of policies. */
    private void putInForce(RetentionPolicy policy) throws InterruptedException {
        byte[] key = policy.scope().toString().getBytes(StandardCharsets.UTF_8);
        try (Producer<byte[], byte[]> producer = stack.clients().producer()) {
            producer.send(new ProducerRecord<>(
                            stack.topics().policiesAccepted(),
                            key,
                            stack.records().policy(policy)))
                    .get();
        } catch (ExecutionException e) {
            throw new VoidRunException("the policy cannot be sent: " + e.getMessage(), e);
        }
    }

    @Override
    public Contents contents(KafkaStreams streams, EbbConfig config) {
        Contents all = Contents.NONE;
        for (int partition = 0; partition < config.topicsPartitions(); partition++) {
            var store = new ReadOnlyEventStore(
                    store(streams, EventStore.EVENTS, partition), store(streams, EventStore.USAGE, partition));
            List<StreamUsage> streamsOfPartition = store.streams(null, "", Integer.MAX_VALUE);
            for (StreamUsage usage : streamsOfPartition) {
                Contents listed = listed(store, usage);
                requireAgreement(usage, listed);
                all = all.plus(listed);
            }
        }
        return all;
    }

    private static Contents listed(ReadOnlyEventStore store, StreamUsage usage) {
        Contents listed = Contents.NONE;
        @Nullable String cursor = null;
        do {
            EventPage page = store.list(usage.stream(), cursor, PAGE);
            for (StoredEvent event : page.events()) {
                listed = listed.plus(Contents.of(event.event()));
            }
            cursor = page.nextCursor();
        } while (cursor != null);
        return listed;
    }

    private static void requireAgreement(StreamUsage usage, Contents listed) {
        if (usage.events() != listed.events()
                || usage.bytes() != listed.bytes()
                || usage.protectedEvents() != listed.protectedEvents()) {
            throw new VoidRunException("the usage says " + usage + ", and the stream holds " + listed);
        }
    }

    private static ReadOnlyKeyValueStore<Bytes, byte[]> store(KafkaStreams streams, String name, int partition) {
        return streams.store(
                StoreQueryParameters.fromNameAndType(name, QueryableStoreTypes.<Bytes, byte[]>keyValueStore())
                        .withPartition(partition));
    }

    /** The input is to be drained with sweeps running, so nothing waits for its end. */
    private record AlwaysCaughtUp(DrainWatch watch) implements CatchUp {

        @Override
        public void taskStarted(int partition) {}

        @Override
        public void processed(String topic, int partition, long offset) {
            watch.taken(partition, offset);
        }

        @Override
        public boolean isCaughtUp(int partition) {
            return true;
        }

        @Override
        public long policiesTarget() {
            return -1;
        }
    }
}
