package dev.ebb.devstack;

import dev.ebb.devstack.process.AppProcess;
import dev.ebb.devstack.process.BrokerProcess;
import dev.ebb.devstack.process.ConnectProcess;
import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.OutsideBroker;
import dev.ebb.devstack.process.PortLostException;
import dev.ebb.devstack.process.Ports;
import dev.ebb.devstack.process.PostgresProcess;
import dev.ebb.devstack.process.RegistryProcess;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackContext;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.devstack.process.StackProcess;
import dev.ebb.stacks.DevStackException;
import dev.ebb.stacks.Endpoints;
import dev.ebb.stacks.PrivateFiles;
import dev.ebb.stacks.RunningStacks;
import dev.ebb.stacks.StackLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Broker, registry, PostgreSQL, Connect worker and the application, each in a process of its own on 127.0.0.1, with
 * data in one folder that survives. The process that starts it owns it: the services stop in an orderly way on {@link
 * #close()} and on SIGINT, SIGTERM or SIGHUP, and soon after this process when it is killed. All methods may be called
 * from any thread.
 */
public final class DevStack implements AutoCloseable {
    private final StackContext context;
    private final StackLock lock;
    private final Guardian guardian;
    private final Thread closeOnExit = new Thread(this::close, "devstack-close");
    private final CountDownLatch closed = new CountDownLatch(1);

    private final @Nullable OutsideBroker outsideBroker;
    private final BrokerProcess broker;
    private final RegistryProcess registry;
    private final PostgresProcess postgres;
    private final ConnectProcess connect;
    private final AppProcess app;
    private final Ports ports;
    private final Optional<Path> note;

    private volatile Endpoints endpoints;
    private volatile Map<String, String> settings = Map.of();

    private DevStack(
            StackContext context,
            StackLock lock,
            @Nullable String apiListen,
            Ports ports,
            List<String> appProgram,
            @Nullable OutsideBroker outsideBroker,
            Optional<Path> note)
            throws IOException {
        this.context = context;
        this.lock = lock;
        this.ports = ports;
        this.outsideBroker = outsideBroker;
        this.note = note;
        this.guardian = Guardian.start(context.pidFolder(), Endpoints.file(context.dataDir()), note);
        this.broker = new BrokerProcess(context, ports);
        this.registry = new RegistryProcess(context, ports);
        String bootstrapServers = outsideBroker == null ? broker.bootstrapServers() : outsideBroker.bootstrapServers();
        this.connect = new ConnectProcess(context, ports, bootstrapServers);
        this.postgres = new PostgresProcess(context, ports);
        this.app = new AppProcess(context, ports, apiListen, this::moveApp, appProgram);
        this.endpoints = new Endpoints(
                bootstrapServers,
                registry.url(),
                connect.url(),
                postgres.jdbcUrl(),
                PostgresProcess.USER,
                postgres.password().value(),
                postgres.password().file(),
                app.url());
    }

    /** A stack with its data in this folder, which is made if it is not there. */
    public static Builder builder(Path dataDir) {
        return new Builder(dataDir.toAbsolutePath().normalize());
    }

    public Endpoints endpoints() {
        return endpoints;
    }

    /** The settings with which the application and the commands reach this stack. */
    public Path settingsFile() {
        return Endpoints.file(context.dataDir());
    }

    public BrokerProcess broker() {
        return broker;
    }

    public RegistryProcess registry() {
        return registry;
    }

    public PostgresProcess postgres() {
        return postgres;
    }

    public ConnectProcess connect() {
        return connect;
    }

    public AppProcess app() {
        return app;
    }

    /** Waits until the stack is closed, by any thread. */
    public void awaitClose() throws InterruptedException {
        closed.await();
    }

    /** Stops every process, those first that need the others, and returns when all have ended. */
    @Override
    public synchronized void close() {
        if (context.closed().getAndSet(true)) {
            return;
        }
        try (lock;
                ports;
                guardian) {
            List.of(app, connect, registry, postgres, broker).forEach(StackProcess::stop);
            if (outsideBroker != null) {
                outsideBroker.close();
            }
            if (note.isPresent()) {
                Files.deleteIfExists(note.get());
            }
            Files.deleteIfExists(settingsFile());
        } catch (IOException e) {
            throw new DevStackException("cannot release " + context.dataDir(), e);
        } finally {
            forgetExit();
            closed.countDown();
        }
    }

    private void start(Set<Service> services, Map<String, String> settings) throws IOException {
        Runtime.getRuntime().addShutdownHook(closeOnExit);
        startTogether(Stream.of(broker, registry, connect, postgres)
                .filter(process -> services.contains(process.service()))
                .toList());
        this.settings = settings;
        endpoints.write(context.dataDir(), settings);
        if (note.isPresent()) {
            PrivateFiles.write(note.get(), context.dataDir() + System.lineSeparator());
        }
        if (services.contains(Service.APP)) {
            app.start();
        }
    }

    private void moveApp(String url) {
        endpoints = endpoints.withApi(url);
        try {
            endpoints.write(context.dataDir(), settings);
        } catch (IOException e) {
            throw new DevStackException("cannot write " + settingsFile(), e);
        }
    }

    private static void startTogether(List<StackProcess> services) {
        var threads = Executors.newCachedThreadPool();
        try {
            var started = new ExecutorCompletionService<>(threads);
            services.forEach(service -> started.submit(Executors.callable(service::start)));
            for (int i = 0; i < services.size(); i++) {
                started.take().get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof DevStackException known ? known : new DevStackException("cannot start", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DevStackException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    private void forgetExit() {
        try {
            Runtime.getRuntime().removeShutdownHook(closeOnExit);
        } catch (IllegalStateException alreadyExiting) {
            return;
        }
    }

    /** Settings of a stack before its start. */
    public static final class Builder {
        private final Path dataDir;
        private final Map<String, String> settings = new TreeMap<>();
        private final Map<Service, List<String>> serviceOptions = new EnumMap<>(Service.class);

        private final Set<Service> services = EnumSet.allOf(Service.class);
        private int portOffset;
        private List<String> appProgram = List.of();
        private @Nullable RunningStacks running;
        private @Nullable OutsideBroker outsideBroker;
        private StackObserver observer = StackObserver.SILENT;

        private Builder(Path dataDir) {
            this.dataDir = dataDir;
        }

        /** Starts the application as well, which is the default, or not; else {@link DevStack#app()} can do it. */
        public Builder withApp(boolean start) {
            if (start) {
                services.add(Service.APP);
            } else {
                services.remove(Service.APP);
            }
            return this;
        }

        /** Added to the usual ports, so that stacks that come and go do not take each other's. Default: 0. */
        public Builder portOffset(int offset) {
            portOffset = offset;
            return this;
        }

        /** Services that are not started now, though they can be later; the application does without their use. */
        public Builder without(Service... excluded) {
            services.removeAll(List.of(excluded));
            return this;
        }

        /** The broker to use in place of a process of this stack, which closes it when it is closed. */
        public Builder broker(OutsideBroker broker) {
            outsideBroker = broker;
            return without(Service.BROKER);
        }

        /** Command to run as the application, in place of {@code ebb run}; it gets the same arguments. */
        public Builder appProgram(List<String> command) {
            appProgram = List.copyOf(command);
            return this;
        }

        /** Where it leaves a note, so that commands of the user find it. Default: nowhere. */
        public Builder announceTo(RunningStacks stacks) {
            running = stacks;
            return this;
        }

        /** A setting of the application, put into the settings file of the stack. */
        public Builder setting(String key, String value) {
            settings.put(key, value);
            return this;
        }

        /** More options for the JVM of a service; of two that contradict, the later wins. */
        public Builder jvmOptions(Service service, String... options) {
            serviceOptions.put(service, List.of(options));
            return this;
        }

        /** More settings of PostgreSQL, {@code name=value}; of two that contradict, the later wins. */
        public Builder postgresSettings(String... settings) {
            serviceOptions.put(Service.POSTGRES, List.of(settings));
            return this;
        }

        public Builder observer(StackObserver listener) {
            observer = listener;
            return this;
        }

        /**
         * Starts the processes, side by side as far as possible, and returns when all of them answer. Where another
         * program takes a port in the moment before a service listens on it, all begin again with other ports.
         *
         * @throws DevStackException if the folder is in use or a process does not start; then none is left running
         */
        public DevStack start() {
            // A broker from outside is closed with the first attempt.
            int attempts = outsideBroker == null ? StackProcess.PORT_ATTEMPTS : 1;
            for (int attempt = 1; attempt < attempts; attempt++) {
                try {
                    return startOnce();
                } catch (PortLostException e) {
                    observer.portLost(e.service());
                }
            }
            return startOnce();
        }

        private DevStack startOnce() {
            try {
                var stack = open(StackLock.acquire(dataDir));
                try {
                    stack.start(services, allSettings());
                    return stack;
                } catch (IOException | RuntimeException e) {
                    stack.close();
                    throw e;
                }
            } catch (IOException e) {
                throw new DevStackException("cannot start in " + dataDir + ": " + e.getMessage(), e);
            }
        }

        private DevStack open(StackLock lock) throws IOException {
            Ports ports = new Ports(observer, portOffset);
            try {
                var context = new StackContext(
                        dataDir, Distribution.locate(), observer, Map.copyOf(serviceOptions), new AtomicBoolean());
                PrivateFiles.closeContent(dataDir);
                Leftovers.stop(context.pidFolder(), observer);
                return new DevStack(
                        context, lock, settings.get("api.listen"), ports, appProgram, outsideBroker, note());
            } catch (IOException | RuntimeException e) {
                ports.close();
                lock.close();
                throw e;
            }
        }

        private Optional<Path> note() {
            return Optional.ofNullable(running).flatMap(stacks -> stacks.noteOf(dataDir));
        }

        private Map<String, String> allSettings() {
            var all = new HashMap<>(settings);
            all.putIfAbsent("state.dir", dataDir.resolve("state").toString());
            if (!services.contains(Service.POSTGRES)) {
                all.put("sql.url", "");
            }
            if (!services.contains(Service.CONNECT)) {
                all.put("connect.url", "");
            }
            return all;
        }
    }
}
