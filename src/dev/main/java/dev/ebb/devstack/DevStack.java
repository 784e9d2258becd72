package dev.ebb.devstack;

import dev.ebb.devstack.process.AppProcess;
import dev.ebb.devstack.process.BrokerProcess;
import dev.ebb.devstack.process.ConnectProcess;
import dev.ebb.devstack.process.OutsideBroker;
import dev.ebb.devstack.process.Ports;
import dev.ebb.devstack.process.PostgresProcess;
import dev.ebb.devstack.process.RegistryProcess;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.Signals;
import dev.ebb.devstack.process.StackContext;
import dev.ebb.devstack.process.StackProcess;
import dev.ebb.stacks.DevStackException;
import dev.ebb.stacks.Endpoints;
import dev.ebb.stacks.PrivateFiles;
import dev.ebb.stacks.StackLock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Broker, registry, PostgreSQL, Connect worker and the application, each in a process of its own on 127.0.0.1, with
 * data in one folder that outlives them. The process that starts the stack owns it: the services stop in an orderly way
 * on {@link #close()} and on SIGINT, SIGTERM or SIGHUP, and soon after this process when it is killed. All methods may
 * be called from any thread.
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

    DevStack(
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

    /** Returns a builder of a stack with its data in this folder, which is created if it does not exist. */
    public static DevStackBuilder builder(Path dataDir) {
        return new DevStackBuilder(dataDir.toAbsolutePath().normalize());
    }

    public Endpoints endpoints() {
        return endpoints;
    }

    /** Returns the file with the settings by which the application and the commands reach this stack. */
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

    /** Waits until any thread closes the stack. */
    public void awaitClose() throws InterruptedException {
        closed.await();
    }

    /** Stops every process, dependent ones first, and returns when all have ended. */
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

    void start(Set<Service> services, Map<String, String> settings) throws IOException {
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
            throw Signals.interrupted(e);
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
}
