package dev.ebb.bench;

import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.Endpoints;
import dev.ebb.devstack.Service;
import dev.ebb.devstack.StackObserver;
import dev.ebb.runtime.ConfiguredTopology;
import dev.ebb.runtime.KafkaClients;
import dev.ebb.runtime.TopicAdmin;
import dev.ebb.serde.AvroRecords;
import dev.ebb.serde.AvroSettings;
import dev.ebb.topology.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;

/** A broker and a registry that nobody else uses, with data that goes when they go. */
final class BenchStack implements AutoCloseable {

    private static final String PREFIX = "bench.";
    private static final String FOLDER = "ebb-bench-";
    private static final long POLL_MS = 20;

    private final Path folder;
    private final DevStack services;
    private final EbbConfig config;
    private final Topics topics;
    private final AvroRecords records;

    private BenchStack(Path folder, DevStack services) {
        this.folder = folder;
        this.services = services;
        this.config = config("bench");
        this.topics = new ConfiguredTopology(config).topics();
        this.records = AvroRecords.of(AvroSettings.of(config.schemaRegistryProperties()));
    }

    /** Starts both, with their data below the folder. */
    static BenchStack start(Path parent, Consumer<String> progress) {
        try {
            Files.createDirectories(parent);
            deleteLeftovers(parent);
            Path folder = Files.createTempDirectory(parent, FOLDER);
            DevStack services = DevStack.builder(folder)
                    .without(Service.POSTGRES, Service.CONNECT)
                    .withApp(false)
                    // It serves at full speed, unlike one that only has to be there.
                    .jvmOptions(Service.BROKER, "-XX:TieredStopAtLevel=4", "-Xmx1g")
                    .observer(StackObserver.lines(progress))
                    .start();
            BenchStack stack = new BenchStack(folder, services);
            stack.records.prepare();
            return stack;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The settings of an application of that name: the defaults, but for where things are. */
    EbbConfig config(String applicationId) {
        Map<String, String> own = Map.of(Settings.APPLICATION_ID, applicationId, Settings.TOPICS_PREFIX, PREFIX);
        return EbbConfig.load(new ConfigSources(services.settingsFile(), Map.of(), own));
    }

    /** Reads and writes with the registry of this stack; its schemas are known already. */
    AvroRecords records() {
        return records;
    }

    KafkaClients clients() {
        return new KafkaClients(config);
    }

    Topics topics() {
        return topics;
    }

    CpuMeter cpu() {
        return new CpuMeter(services.broker().pid(), services.registry().pid());
    }

    /** Deletes all topics but the input, and makes Ebb's own anew. */
    void renewTopics() throws InterruptedException {
        try (Admin admin = clients().admin()) {
            admin.deleteTopics(outputTopics(admin)).all().get();
            // The broker shows what it has deleted for a little longer.
            while (!outputTopics(admin).isEmpty()) {
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
            }
            new TopicAdmin(admin, config).create();
        } catch (ExecutionException e) {
            throw new VoidRunException("the broker does not renew its topics: " + e.getMessage(), e);
        }
    }

    private List<String> outputTopics(Admin admin) throws InterruptedException, ExecutionException {
        return admin.listTopics().names().get().stream()
                .filter(name -> !name.equals(topics.events()))
                .toList();
    }

    @Override
    public void close() {
        records.close();
        services.close();
        delete(folder);
    }

    /** What a run left that was killed. */
    private static void deleteLeftovers(Path parent) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            folders.filter(folder -> folder.getFileName().toString().startsWith(FOLDER))
                    .filter(folder -> Endpoints.settingsFile(folder).isEmpty())
                    .forEach(BenchStack::delete);
        }
    }

    static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
