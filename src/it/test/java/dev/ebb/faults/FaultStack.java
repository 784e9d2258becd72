package dev.ebb.faults;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.TestStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.it.Await;
import dev.ebb.oracle.Oracle;
import dev.ebb.oracle.OracleSources;
import dev.ebb.oracle.Verdict;
import dev.ebb.runtime.kafka.TopicAdmin;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.stacks.Endpoints;
import dev.ebb.topology.wire.Topics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.AlterConfigOp.OpType;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;

/**
 * Broker, registry, Connect worker, PostgreSQL and some instances of the application, each a process of its own, and a
 * load. The starter of a stack owns it. One thread at a time.
 */
public final class FaultStack implements AutoCloseable {

    static final int PARTITIONS = 4;

    /** So few that a sweep of some thousand events takes seconds and can be interrupted. */
    private static final int DELETES_PER_SLICE = 75;

    /**
     * Room for streams in memory, in bytes; with {@code -Dfaults.streams.bytes=4096} some three have room, and streams leave
     * memory at each step.
     */
    private static final String STREAM_BYTES =
            System.getProperty("faults.streams.bytes", Settings.STATE_STREAMS_BYTES.standard());

    private static final int SESSION_TIMEOUT_MS = 6000;
    private static final int FIRST_PORT = 8490;
    private static final Duration QUIET_LIMIT = Duration.ofMinutes(5);

    /** Longer than the suite takes, and shorter than the longest that the product asks for. */
    private static final Duration COMPACTION_LAG = Duration.ofHours(3);

    /** False with {@code -Dfaults.registry=none}: all records are JSON then. */
    static final boolean HAS_REGISTRY =
            !System.getProperty("faults.registry", "").equals("none");

    private final Path folder;
    private final DevStack services;
    private final KafkaSession kafka;
    private final AvroRecords records;
    private final Admin admin;
    private final FaultLoad load;
    private final List<Instance> instances = new CopyOnWriteArrayList<>();
    private int named;
    private int revived;

    private FaultStack(Path folder, long seed) {
        this.folder = folder.toAbsolutePath();
        var builder = TestStack.builder(folder)
                .withApp(false)
                .setting("topics.partitions", Integer.toString(PARTITIONS))
                .setting("sweep.batch.deletes", Integer.toString(DELETES_PER_SLICE))
                .setting("brake.max.share", "100")
                .setting("mirror.json", "on")
                .setting("state.streams.bytes", STREAM_BYTES)
                .setting("state.lookup.bytes", "16777216")
                .setting("rocksdb.block.cache.bytes", "33554432")
                .setting("rocksdb.write.buffer.bytes", "16777216")
                .setting("kafka.session.timeout.ms", Integer.toString(SESSION_TIMEOUT_MS))
                .setting("kafka.heartbeat.interval.ms", "1500");
        this.services = (HAS_REGISTRY ? builder : builder.without(Service.REGISTRY)).start();
        this.kafka = new KafkaSession(EbbConfig.load(new ConfigSources(services.settingsFile(), Map.of(), Map.of())));
        this.records = AvroRecords.of(AvroSettings.of(kafka.config().schemaRegistryProperties()));
        this.admin =
                Admin.create(Map.of("bootstrap.servers", services.endpoints().bootstrapServers()));
        this.load = new FaultLoad(seed, services.endpoints().bootstrapServers(), topics().events(), records);
    }

    /**
     * Starts everything and returns when all instances are ready and the policies of the load are in force.
     *
     * @param folder for all data; not below the folder for temporary files
     */
    public static FaultStack start(Path folder, long seed, int instances) throws InterruptedException {
        return start(folder, seed, instances, instance -> {});
    }

    /** A stack whose instances are prepared before their first start. */
    static FaultStack start(Path folder, long seed, int instances, Consumer<Instance> prepare)
            throws InterruptedException {
        FaultStack stack = new FaultStack(folder, seed);
        try {
            stack.kafka.topics(TopicAdmin::create);
            stack.keepWholeTopics();
            stack.records.prepare();
            stack.kafka.publish(LoadPolicies.all());
            for (int i = 0; i < instances; i++) {
                Instance instance = stack.add();
                prepare.accept(instance);
                instance.launch();
            }
            stack.awaitReady();
            return stack;
        } catch (RuntimeException | Error | InterruptedException e) {
            stack.close();
            throw e;
        }
    }

    /** The oracle reads these as they were written; in half an hour of load their compaction would begin. */
    private void keepWholeTopics() throws InterruptedException {
        alter(
                ConfigResource.Type.TOPIC,
                List.of(topics().mirrorEvents(), topics().policies(), topics().policiesAccepted(), topics().results()),
                Map.of("min.compaction.lag.ms", Long.toString(COMPACTION_LAG.toMillis())));
    }

    /** Sets what the broker has for topics, or for itself. */
    void alter(ConfigResource.Type type, List<String> names, Map<String, String> settings) throws InterruptedException {
        List<AlterConfigOp> changes = settings.entrySet().stream()
                .map(entry -> new AlterConfigOp(new ConfigEntry(entry.getKey(), entry.getValue()), OpType.SET))
                .toList();
        Map<ConfigResource, Collection<AlterConfigOp>> all = new HashMap<>();
        names.forEach(name -> all.put(new ConfigResource(type, name), changes));
        try {
            admin.incrementalAlterConfigs(all).all().get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the settings of " + names + " cannot be changed", e);
        }
    }

    /** Broker, registry, Connect worker and PostgreSQL, to be stopped, killed and started again. */
    public DevStack services() {
        return services;
    }

    /** Executes statements in the database of the mirror, each by itself. */
    void executeSql(List<String> statements) throws SQLException {
        Endpoints at = services.endpoints();
        try (Connection connection = DriverManager.getConnection(at.jdbcUrl(), at.sqlUser(), at.sqlPassword());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Instances that should run; some may not at the moment. */
    public List<Instance> instances() {
        return List.copyOf(instances);
    }

    /** One more instance, which is not started. */
    public Instance add() {
        named++;
        Instance instance = new Instance(
                "ebb-" + named, folder, services.settingsFile(), FIRST_PORT + TestStack.portOffset() + named);
        instances.add(instance);
        return instance;
    }

    /** It should not run any more. */
    public void remove(Instance instance) throws InterruptedException {
        instances.remove(instance);
        instance.stop();
    }

    /** Any instance that runs. */
    public Instance any() {
        return instances.stream().filter(Instance::isRunning).findFirst().orElseThrow();
    }

    public FaultLoad load() {
        return load;
    }

    /** Writes records as the product does. */
    public AvroRecords records() {
        return records;
    }

    public Topics topics() {
        return new Topics(kafka.config().get(Settings.TOPICS_PREFIX), PARTITIONS);
    }

    /** Settings, policies and topics, as the commands use them. */
    public KafkaSession kafka() {
        return kafka;
    }

    public Admin admin() {
        return admin;
    }

    /**
     * Starts instances that should run and do not, as a supervisor would. One that gave up must have said so by its
     * exit code.
     */
    public void revive() {
        for (Instance instance : instances) {
            if (instance.hasEndedByItself()) {
                revived++;
                if (instance.exitCode() == 0) {
                    throw new AssertionError(instance + " ended by itself with exit code 0; see " + instance.log());
                }
            }
            instance.launch();
        }
    }

    /** Number of times that an instance gave up by itself and was started again. */
    public int revived() {
        return revived;
    }

    /** Partitions that are kept by instances other than this one, as they say themselves. */
    public Set<Integer> keptByOthers(Instance one) throws IOException, InterruptedException {
        Set<Integer> kept = new TreeSet<>();
        for (Instance instance : instances) {
            if (instance != one && instance.isRunning()) {
                kept.addAll(keptBy(instance));
            }
        }
        return kept;
    }

    private static Set<Integer> keptBy(Instance instance) throws IOException, InterruptedException {
        Set<Integer> kept = new TreeSet<>();
        Rest.get(instance.url(), "/v1/status")
                .body()
                .path("partitions")
                .forEach(partition -> kept.add(partition.path("partition").asInt()));
        return kept;
    }

    /** The instance that keeps the most partitions. */
    public Instance busiest() throws IOException, InterruptedException {
        Instance busiest = any();
        int most = -1;
        for (Instance instance : instances) {
            int kept = keptBy(instance).size();
            if (kept > most) {
                most = kept;
                busiest = instance;
            }
        }
        return busiest;
    }

    /** Returns when all instances are ready and every partition is kept by one of them. */
    public void awaitReady() throws InterruptedException {
        Await.until("all instances are ready", QUIET_LIMIT, () -> Quiescence.of(this)
                .missingInstances());
    }

    /** Ends the load, and returns when everything has come in, everything due has gone, and SQL has all of it. */
    public void awaitQuiet() throws InterruptedException {
        load.pause();
        Quiescence quiescence = Quiescence.of(this);
        Await.until("all is taken in", QUIET_LIMIT, quiescence::missingInput);
        Await.until("all is quiet", QUIET_LIMIT, quiescence::missing);
    }

    /** Verdict of the oracle; to be asked when all is quiet. */
    public Verdict judge() {
        Endpoints at = services.endpoints();
        return new Oracle()
                .judge(new OracleSources(
                        at.bootstrapServers(),
                        kafka.config().get(Settings.TOPICS_PREFIX),
                        HAS_REGISTRY ? URI.create(at.registryUrl()) : null,
                        instances.stream()
                                .filter(Instance::isRunning)
                                .map(Instance::url)
                                .toList(),
                        null,
                        at.jdbcUrl(),
                        at.sqlUser(),
                        at.sqlPassword()));
    }

    /** Where the logs are. */
    public Path folder() {
        return folder;
    }

    @Override
    public void close() {
        load.close();
        admin.close(Duration.ofSeconds(1));
        records.close();
        try {
            for (Instance instance : instances) {
                instance.kill();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            services.close();
        }
    }
}
