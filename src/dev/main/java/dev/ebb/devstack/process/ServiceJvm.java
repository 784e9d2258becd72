package dev.ebb.devstack.process;

import dev.ebb.stacks.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** Java settings for services that are Java programs and share a machine. */
final class ServiceJvm {
    private static final String LOGGING = "logback-service.xml";

    private ServiceJvm() {}

    /**
     * Returns the command, with one thread for garbage collection and only the first compiler: several JVMs start in
     * parallel on few cores, and this takes half of the CPU time. {@code -XX:TieredStopAtLevel=4} among the options of
     * the service restores throughput.
     */
    static List<String> command(StackContext context, Service service, List<String> options, List<String> program)
            throws IOException {
        var all = new ArrayList<String>(
                List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError"));
        all.add("-Djava.awt.headless=true");
        all.add("-Dlogback.configurationFile=" + logging(context));
        all.addAll(options);
        all.addAll(context.options(service));
        var command = context.distribution().java(all);
        command.addAll(program);
        return command;
    }

    /** Writes a settings file for a service. */
    static Path settings(Path file, Map<String, String> settings) throws IOException {
        var properties = new Properties();
        properties.putAll(settings);
        return PrivateFiles.write(file, out -> properties.store(out, "Written at each start."));
    }

    private static Path logging(StackContext context) throws IOException {
        var file = context.serviceLogging();
        try (var source = ServiceJvm.class.getResourceAsStream(LOGGING)) {
            if (source == null) {
                throw new IOException(LOGGING + " is not on the classpath");
            }
            var text = new String(source.readAllBytes(), StandardCharsets.UTF_8);
            return PrivateFiles.write(file, text);
        }
    }
}
