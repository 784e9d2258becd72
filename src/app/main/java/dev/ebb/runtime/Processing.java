package dev.ebb.runtime;

import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.files.TrustedFile;
import dev.ebb.receipt.ReceiptSigner;
import dev.ebb.runtime.erase.KafkaCopies;
import dev.ebb.runtime.erase.TopicPlaces;
import dev.ebb.runtime.kafka.ConfiguredTopology;
import dev.ebb.runtime.sources.KafkaRecordFetch;
import dev.ebb.runtime.sources.KafkaSourceDesk;
import dev.ebb.runtime.sources.SourceCounts;
import dev.ebb.runtime.sources.SourceLog;
import dev.ebb.runtime.sources.SourceParts;
import dev.ebb.runtime.sources.SourceRuntime;
import dev.ebb.runtime.streams.KafkaCatchUp;
import dev.ebb.runtime.streams.KafkaInputTargets;
import dev.ebb.runtime.streams.StreamsInstance;
import dev.ebb.runtime.verify.Mirror;
import dev.ebb.runtime.watch.ClockGuard;
import dev.ebb.runtime.watch.ClockHeartbeat;
import dev.ebb.runtime.watch.GroupLag;
import dev.ebb.runtime.watch.InstanceWatch;
import dev.ebb.runtime.watch.LagWatch;
import dev.ebb.runtime.watch.Presence;
import dev.ebb.runtime.writes.LatestResults;
import dev.ebb.runtime.writes.ResultsFollower;
import dev.ebb.store.rocks.SharedMemory;
import dev.ebb.topology.policy.PolicyViews;
import dev.ebb.topology.source.AcceptedSources;
import dev.ebb.topology.wire.Topics;
import dev.ebb.undo.KafkaTrash;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.streams.Topology;

/**
 * Parts with which an instance takes in records and keeps its state, and those that watch over them.
 *
 * @param inputLag measures the number of records that are not taken in
 */
record Processing(
        PolicyViews policies,
        KafkaCatchUp catchUp,
        KafkaTrash trash,
        ClockGuard clockGuard,
        ClockHeartbeat heartbeat,
        SharedMemory memory,
        InstanceWatch watch,
        StreamsInstance streams,
        SourceRuntime sources,
        Results results,
        LagWatch inputLag,
        Mirror mirror) {

    private static final long REMEMBERED_RESULTS = 50_000;

    /**
     * Results of commands.
     *
     * @param latest the newest ones, as the follower reads them
     */
    record Results(LatestResults latest, ResultsFollower follower) {

        private static Results of(Connections to) {
            LatestResults latest = new LatestResults(REMEMBERED_RESULTS);
            var follower = new ResultsFollower(to.clients()::follower, to.records(), latest, to.topics(), to.clock());
            return new Results(latest, to.add(follower));
        }
    }

    /** Creates the parts; starts nothing yet. */
    static Processing of(Connections to, InstanceWatch watch) {
        EbbConfig config = to.config();
        Stream.of(Settings.SQL_PASSWORD_FILE, Settings.API_PEER_SECRET_FILE)
                .flatMap(file -> config.get(file).stream())
                .forEach(TrustedFile::warnOfReaders);
        ConfiguredTopology configured = new ConfiguredTopology(config);
        PolicyViews policies = configured.policyViews(to.records());
        KafkaCatchUp catchUp = to.add(catchUp(to));
        ClockGuard clock = clockGuard(to);
        ClockHeartbeat heartbeat = to.add(heartbeat(to, clock));
        SharedMemory memory = to.add(memory(config));
        AcceptedSources accepted = new AcceptedSources();
        var copies = new KafkaCopies(
                TopicPlaces.of(config, to.admin(), accepted),
                to.clients()::reader,
                to.topics(),
                to.records(),
                to.records());
        var trash = new KafkaTrash(to.topics().trash(), to.clients()::reader);
        Topology topology = configured.build(
                to.records(),
                policies,
                catchUp,
                clock,
                copies,
                trash,
                ReceiptSigner.of(config),
                accepted,
                watch.observer());
        StreamsInstance streams = new StreamsInstance(
                config, topology, memory, configured.failedRecords(), watch.running(), clock, to.observer());
        KafkaRecordFetch fetch = to.add(new KafkaRecordFetch(to.clients()));
        SourceCounts counts = new SourceCounts(new SourceLog(watch.metrics()), InstantSource.system());
        SourceRuntime sources = to.add(new SourceRuntime(
                accepted,
                new SourceParts(config, to.clients(), memory, to.records(), fetch, counts),
                counts,
                () -> policies.current().policies()));
        Results results = Results.of(to);
        LagWatch inputLag = to.add(inputLag(to));
        Mirror mirror = to.add(new Mirror(config, to.clients()));
        return new Processing(
                policies, catchUp, trash, clock, heartbeat, memory, watch, streams, sources, results, inputLag, mirror);
    }

    /** Returns what answers about sources. */
    KafkaSourceDesk sourceDesk(Connections to) {
        return new KafkaSourceDesk(to.config(), to.admin(), sources);
    }

    private static KafkaCatchUp catchUp(Connections to) {
        String group = to.config().get(Settings.APPLICATION_ID);
        return new KafkaCatchUp(to.topics(), new KafkaInputTargets(to.clients()::reader, to.admin(), group));
    }

    private static ClockGuard clockGuard(Connections to) {
        return new ClockGuard(
                to.config().get(Settings.CLOCK_GUARD_MAX_DIFFERENCE),
                to.config().get(Settings.CLOCK_GUARD_INTERVAL),
                to.clock(),
                System::nanoTime);
    }

    private static ClockHeartbeat heartbeat(Connections to, ClockGuard clock) {
        String address = to.config().apiAdvertised().toString();
        return new ClockHeartbeat(
                to.clients().asker(), to.topics().clock(), address, to.config().get(Settings.GROUP_INSTANCE_ID), clock);
    }

    private static SharedMemory memory(EbbConfig config) {
        return new SharedMemory(
                config.get(Settings.ROCKSDB_BLOCK_CACHE_BYTES),
                config.get(Settings.ROCKSDB_WRITE_BUFFER_BYTES),
                config.get(Settings.STATE_LOOKUP_BYTES));
    }

    private static LagWatch inputLag(Connections to) {
        Consumer<byte[], byte[]> reader = to.clients().reader();
        Admin ownAdmin = to.clients().admin();
        Topics topics = to.topics();
        List<String> input = List.of(topics.events(), topics.rekey(), topics.policies());
        String group = to.config().get(Settings.APPLICATION_ID);
        Presence broker = new Presence("Kafka", to.config().get(Settings.BOOTSTRAP_SERVERS), System::nanoTime);
        return new LagWatch(new GroupLag(reader, ownAdmin, group, input)::measure, broker, System::nanoTime, () -> {
            reader.close();
            ownAdmin.close();
        });
    }
}
