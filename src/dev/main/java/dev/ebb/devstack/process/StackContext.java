package dev.ebb.devstack.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/** Things that the services of one stack share. Nothing is started any more once {@code closed} is set. */
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

    /** A file with a secret of this stack. */
    Path secret(String name) {
        return secrets().resolve(name);
    }

    Path secrets() {
        return dataDir.resolve("secrets");
    }

    ServiceLog log(Service service) {
        return new ServiceLog(dataDir.resolve("logs").resolve(service.label() + ".log"));
    }

    /** Additions to the options of a service's JVM, or to the settings of PostgreSQL; they come last and so win. */
    List<String> options(Service service) {
        return options.getOrDefault(service, List.of());
    }
}
