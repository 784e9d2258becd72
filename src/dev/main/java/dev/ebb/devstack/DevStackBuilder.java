package dev.ebb.devstack;

import dev.ebb.devstack.process.Distribution;
import dev.ebb.devstack.process.OutsideBroker;
import dev.ebb.devstack.process.PortLostException;
import dev.ebb.devstack.process.Ports;
import dev.ebb.devstack.process.Service;
import dev.ebb.devstack.process.StackContext;
import dev.ebb.devstack.process.StackObserver;
import dev.ebb.devstack.process.StackProcess;
import dev.ebb.files.FolderFault;
import dev.ebb.stacks.DevStackException;
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

    /**
     * Sets whether the application starts as well, which is the default; otherwise {@link DevStack#app()} can start it.
     */
    public DevStackBuilder withApp(boolean start) {
        if (start) {
            services.add(Service.APP);
        } else {
            services.remove(Service.APP);
        }
        return this;
    }

    /**
     * Sets a number that is added to the default ports, so that short-lived stacks do not take the ports of others.
     * Default: 0.
     */
    public DevStackBuilder portOffset(int offset) {
        portOffset = offset;
        return this;
    }

    /** Excludes services from the start; they can be started later, and the application does without them. */
    public DevStackBuilder without(Service... excluded) {
        services.removeAll(List.of(excluded));
        return this;
    }

    /** Sets the broker to use in place of a process of this stack, which closes the broker when it is closed. */
    public DevStackBuilder broker(OutsideBroker broker) {
        outsideBroker = broker;
        return without(Service.BROKER);
    }

    /** Sets the command to run as the application in place of {@code ebb run}, with the same arguments. */
    public DevStackBuilder appProgram(List<String> command) {
        appProgram = List.copyOf(command);
        return this;
    }

    /** Sets the list in which the stack leaves a note, so that commands of the user find it. Default: none. */
    public DevStackBuilder announceTo(RunningStacks stacks) {
        running = stacks;
        return this;
    }

    /** Adds a setting of the application to the settings file of the stack. */
    public DevStackBuilder setting(String key, String value) {
        settings.put(key, value);
        return this;
    }

    /** Sets further options for the JVM of a service; the later of two contradicting options wins. */
    public DevStackBuilder jvmOptions(Service service, String... options) {
        serviceOptions.put(service, List.of(options));
        return this;
    }

    /** Sets further settings of PostgreSQL, {@code name=value}; the later of two contradicting settings wins. */
    public DevStackBuilder postgresSettings(String... settings) {
        serviceOptions.put(Service.POSTGRES, List.of(settings));
        return this;
    }

    public DevStackBuilder observer(StackObserver listener) {
        observer = listener;
        return this;
    }

    /**
     * Starts the processes, in parallel as far as possible, and returns when all of them answer. If another program
     * takes a port just before a service listens on it, all of them start again with other ports.
     *
     * @throws DevStackException if the folder is in use or a process does not start; no process is then left running
     */
    public DevStack start() {
        // An outside broker is closed with the first attempt.
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
            throw new DevStackException("cannot start in " + dataDir + ": " + FolderFault.of(e), e);
        }
    }

    private DevStack open(StackLock lock) throws IOException {
        Set<Service> reported = EnumSet.copyOf(services);
        reported.add(Service.APP); // also if it starts last, as in the demo
        Ports ports = new Ports(observer, portOffset, reported);
        try {
            var context = new StackContext(
                    dataDir, Distribution.locate(), observer, Map.copyOf(serviceOptions), new AtomicBoolean());
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
            all.put("connect.urls", "");
        }
        return all;
    }
}
