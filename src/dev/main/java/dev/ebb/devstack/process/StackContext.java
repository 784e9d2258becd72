package dev.ebb.devstack.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Objects that the services of one stack share. No service starts once {@code closed} is set. */
public record StackContext(
        Path dataDir,
        Distribution distribution,
        StackObserver observer,
        Map<Service, List<String>> options,
        AtomicBoolean closed) {

    Path folder(Service service) {
        return dataDir.resolve(service.label());
    }

    public Path pidFolder() {
        return dataDir.resolve("run");
    }

    Path serviceLogging() {
        return dataDir.resolve("run/logback.xml");
    }

    /** Returns the file of a secret of this stack. */
    Path secret(String name) {
        return secrets().resolve(name);
    }

    Path secrets() {
        return dataDir.resolve("secrets");
    }

    ServiceLog log(Service service) {
        return new ServiceLog(dataDir.resolve("logs").resolve(service.label() + ".log"));
    }

    /**
     * Returns further options for the JVM of a service, or further settings of PostgreSQL; they come last, so they win.
     */
    List<String> options(Service service) {
        return options.getOrDefault(service, List.of());
    }
}
