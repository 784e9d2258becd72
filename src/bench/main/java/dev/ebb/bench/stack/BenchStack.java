package dev.ebb.bench.stack;

import dev.ebb.bench.harness.CpuMeter;
import dev.ebb.bench.harness.Quiet;
import dev.ebb.bench.harness.VoidRunException;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.DevStackBuilder;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.serde.records.AvroRecords;
import dev.ebb.serde.schemas.AvroSettings;
import dev.ebb.stacks.Endpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

/** A broker, a registry and other services for this run alone, with data that is deleted at their end. */
public final class BenchStack implements AutoCloseable {

    private static final String FOLDER = "ebb-bench-";
    private static final String FULL_SPEED = "-XX:TieredStopAtLevel=4";

    /**
     * As in the image, for the container of 1 GiB that its manual names; all memory is touched at the start, as it is
     * in an instance that has run for a while.
     */
    static final List<String> APP_OPTIONS = List.of("-Xms512m", "-Xmx512m", "-XX:+AlwaysPreTouch");

    private final Path folder;
    private final DevStack services;
    private final EbbConfig config;
    private final AvroRecords records;
    private final Consumer<String> progress;

    private BenchStack(Path folder, DevStack services, Consumer<String> progress) {
        this.progress = progress;
        this.folder = folder;
        this.services = services;
        this.config = EbbConfig.load(new ConfigSources(services.settingsFile(), Map.of(), Map.of()));
        this.records = AvroRecords.of(AvroSettings.of(config.schemaRegistryProperties()));
    }

    /** Starts broker and registry, with their data below the folder. */
    public static BenchStack start(Path parent, Consumer<String> progress) throws InterruptedException {
        return start(parent, EnumSet.noneOf(Service.class), progress);
    }

    /** Starts all services, with PostgreSQL and Connect. */
    public static BenchStack startWithSql(Path parent, Consumer<String> progress) throws InterruptedException {
        return start(parent, EnumSet.of(Service.POSTGRES, Service.CONNECT), progress);
    }

    /** Starts these services as well. */
    public static BenchStack start(Path parent, Set<Service> further, Consumer<String> progress)
            throws InterruptedException {
        // These processes run at full speed, unlike those for development, whose speed does not matter.
        return start(parent, further, progress, services -> services.jvmOptions(Service.BROKER, FULL_SPEED, "-Xmx1g")
                .jvmOptions(Service.CONNECT, FULL_SPEED, "-Xmx1g")
                .jvmOptions(Service.APP, APP_OPTIONS.toArray(new String[0]))
                // The manual recommends a quarter of the memory on a machine for PostgreSQL alone; this machine is
                // shared.
                .postgresSettings("shared_buffers=1GB", "max_wal_size=4GB", "effective_cache_size=4GB"));
    }

    /** Starts all services with the options that {@code ebb dev} gives them. */
    public static BenchStack startAsForDevelopment(Path parent, Consumer<String> progress) throws InterruptedException {
        return start(parent, EnumSet.of(Service.POSTGRES, Service.CONNECT), progress, services -> services);
    }

    private static BenchStack start(
            Path parent, Set<Service> further, Consumer<String> progress, UnaryOperator<DevStackBuilder> options)
            throws InterruptedException {
        try {
            Files.createDirectories(parent);
            deleteLeftovers(parent);
            Path folder = Files.createTempDirectory(parent, FOLDER);
            DevStackBuilder services =
                    DevStack.builder(folder).without(without(further)).withApp(false);
            DevStack started = options.apply(services)
                    .observer(StackObserver.lines(progress))
                    .start();
            BenchStack stack = new BenchStack(folder, started, progress);
            try (Admin admin = stack.admin()) {
                new LogCleaner(admin).takeUsualBuffer();
            }
            stack.records.prepare();
            return stack;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Service[] without(Set<Service> further) {
        Set<Service> without = EnumSet.of(Service.POSTGRES, Service.CONNECT);
        without.removeAll(further);
        return without.toArray(new Service[0]);
    }

    /** Returns a lane: topics whose names begin with its name; at most one lane for each name. */
    public Lane lane(String name, int partitions) {
        return new Lane(this, services.settingsFile(), name, partitions, Map.of());
    }

    /** Returns a lane whose applications have these settings in place of the defaults. */
    public Lane lane(String name, Map<String, String> settings) {
        return new Lane(this, services.settingsFile(), name, config.get(Settings.TOPICS_PARTITIONS), settings);
    }

    /** Returns a lane with the default number of partitions. */
    public Lane lane(String name) {
        return lane(name, config.get(Settings.TOPICS_PARTITIONS));
    }

    /** Returns a folder for files that are deleted together with the stack. */
    public Path folder() {
        return folder;
    }

    /** Takes a line of progress now and then. */
    public Consumer<String> progress() {
        return progress;
    }

    public DevStack services() {
        return services;
    }

    /** Returns a reader and writer of records with the registry of this stack, which has its schemas already. */
    public AvroRecords records() {
        return records;
    }

    /** Returns the CPU time of this process and all services. */
    public CpuMeter cpu() {
        return new CpuMeter(
                services.broker().pid(),
                services.registry().pid(),
                services.connect().pid(),
                services.postgres().pid());
    }

    /**
     * Waits until all processes have finished earlier work. The log cleaner usually checks for work every 15 s;
     * meanwhile it does so every second.
     *
     * @throws VoidRunException if the processes are still busy after five minutes
     */
    public void rest() throws InterruptedException {
        try (Admin admin = admin()) {
            LogCleaner cleaner = new LogCleaner(admin);
            cleaner.pauseFor(LogCleaner.SHORT_PAUSE);
            Quiet.of(this::cpu).await();
            cleaner.pauseFor(LogCleaner.USUAL_PAUSE);
        }
    }

    private Admin admin() {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, services.endpoints().bootstrapServers()));
    }

    @Override
    public void close() {
        records.close();
        services.close();
        delete(folder);
    }

    /** Deletes the folders of killed runs. */
    private static void deleteLeftovers(Path parent) throws IOException {
        try (Stream<Path> folders = Files.list(parent)) {
            folders.filter(folder -> folder.getFileName().toString().startsWith(FOLDER))
                    .filter(folder -> Endpoints.settingsFile(folder).isEmpty())
                    .forEach(BenchStack::delete);
        }
    }

    public static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
