package dev.ebb.devstack;

import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.OutsideBroker;
import dev.ebb.devstack.process.PortLostException;
import dev.ebb.devstack.process.Ports;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackContext;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.devstack.process.StackProcess;
import dev.ebb.stacks.DevStackException;
import dev.ebb.stacks.PrivateFiles;
import dev.ebb.stacks.RunningStacks;
import dev.ebb.stacks.StackLock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Settings of a stack before its start. */
public final class DevStackBuilder {
    private final Path dataDir;
    private final Map<String, String> settings = new TreeMap<>();
    private final Map<Service, List<String>> serviceOptions = new EnumMap<>(Service.class);
    private final Set<Service> services = EnumSet.allOf(Service.class);
    private int portOffset;
    private List<String> appProgram = List.of();
    private @Nullable RunningStacks running;
    private @Nullable OutsideBroker outsideBroker;
    private StackObserver observer = StackObserver.SILENT;

    DevStackBuilder(Path dataDir) {
        this.dataDir = dataDir;
    }

    /** Starts the application as well, which is the default, or not; else {@link DevStack#app()} can do it. */
    public DevStackBuilder withApp(boolean start) {
        if (start) {
            services.add(Service.APP);
        } else {
            services.remove(Service.APP);
        }
        return this;
    }

    /** Added to the usual ports, so that stacks that come and go do not take each other's. Default: 0. */
    public DevStackBuilder portOffset(int offset) {
        portOffset = offset;
        return this;
    }

    /** Services that are not started now, though they can be later; the application does without their use. */
    public DevStackBuilder without(Service... excluded) {
        services.removeAll(List.of(excluded));
        return this;
    }

    /** The broker to use in place of a process of this stack, which closes it when it is closed. */
    public DevStackBuilder broker(OutsideBroker broker) {
        outsideBroker = broker;
        return without(Service.BROKER);
    }

    /** Command to run as the application, in place of {@code ebb run}; it gets the same arguments. */
    public DevStackBuilder appProgram(List<String> command) {
        appProgram = List.copyOf(command);
        return this;
    }

    /** Where it leaves a note, so that commands of the user find it. Default: nowhere. */
    public DevStackBuilder announceTo(RunningStacks stacks) {
        running = stacks;
        return this;
    }

    /** A setting of the application, put into the settings file of the stack. */
    public DevStackBuilder setting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** More options for the JVM of a service; of two that contradict, the later wins. */
    public DevStackBuilder jvmOptions(Service service, String... options) {
        serviceOptions.put(service, List.of(options));
        return this;
    }

    /** More settings of PostgreSQL, {@code name=value}; of two that contradict, the later wins. */
    public DevStackBuilder postgresSettings(String... settings) {
        serviceOptions.put(Service.POSTGRES, List.of(settings));
        return this;
    }

    public DevStackBuilder observer(StackObserver listener) {
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
            return new DevStack(context, lock, settings.get("api.listen"), ports, appProgram, outsideBroker, note());
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
        if (!services.contains(Service.REGISTRY)) {
            all.put("schema.registry.url", "");
        }
        if (!services.contains(Service.CONNECT)) {
            all.put("connect.url", "");
        }
        return all;
    }
}
