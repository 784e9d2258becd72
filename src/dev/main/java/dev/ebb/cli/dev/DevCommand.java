package dev.ebb.cli.dev;

import dev.ebb.cli.kafka.KafkaSession;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.OnInterrupt;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.ConfigSources;
import dev.ebb.config.EbbConfig;
import dev.ebb.config.Settings;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.DevStackBuilder;
import dev.ebb.devstack.process.Service;
import dev.ebb.stacks.DevStackException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "dev",
        description = {
            "Starts everything on this machine: broker, schema registry, PostgreSQL, Kafka Connect and the"
                    + " application.",
            "They listen on loopback, on their usual ports or, if a port is taken, on a free one. Ctrl-C stops them;"
                    + " the data stays."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  ebb dev --set sweep.interval=5s", "  ebb dev --no-registry --data .ebb/json"})
public final class DevCommand implements Callable<Integer> {

    @Option(names = "--data", paramLabel = "DIR", description = "Folder for the data. Default: .ebb/dev.")
    private @Nullable Path data;

    @Option(names = "--fresh", description = "Delete the data of earlier runs first.")
    private boolean fresh;

    @Option(
            names = "--no-registry",
            description = "Without a schema registry: all records are JSON. Not for data that was written with a"
                    + " registry.")
    private boolean noRegistry;

    @Option(names = "--set", paramLabel = "KEY=VALUE", description = "A setting of the application. May be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    private final CommandEnvironment context;
    private boolean hasSaidStopped;

    DevCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path folder = data == null ? context.devFolder() : data.toAbsolutePath().normalize();
        requireGoodSettings();
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new CommandFailure(ExitCode.USAGE, "--data: " + folder + " is not a folder");
        }
        if (fresh) {
            DataFolder.clear(folder);
        }
        if (noRegistry) {
            DataFolder.requireJson(folder);
        }
        StackWatch watch = new StackWatch(context.terminal());
        try (DevStack stack = start(folder, watch);
                var onInterrupt = new OnInterrupt(() -> sayWhenStopped(stack, folder))) {
            startApplication(stack);
            new DevTables(context, stack, folder).print(watch);
            stack.awaitClose();
        } catch (DevStackException e) {
            throw new CommandFailure(ExitCode.FAILED, String.valueOf(e.getMessage()), e);
        }
        sayStopped(folder);
        return ExitCode.OK.code();
    }

    /**
     * Prints a message when the stack has stopped, since the process may end then, however far the thread of the
     * command has come.
     */
    private void sayWhenStopped(DevStack stack, Path folder) {
        try {
            stack.awaitClose();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        sayStopped(folder);
    }

    private synchronized void sayStopped(Path folder) {
        if (!hasSaidStopped) {
            hasSaidStopped = true;
            context.terminal().err().println("stopped; the data is in " + folder);
        }
    }

    /** Reports faults of the settings before anything starts. */
    private void requireGoodSettings() {
        EbbConfig config = EbbConfig.load(new ConfigSources(null, Map.of(), settings));
        if (config.get(Settings.API_TLS_CERTIFICATE).isPresent()) {
            String what = "'ebb dev' speaks plain HTTP; try api.tls.certificate with 'ebb run'";
            throw new CommandFailure(ExitCode.USAGE, what);
        }
    }

    private DevStack start(Path folder, StackWatch watch) {
        DevStackBuilder builder =
                DevStack.builder(folder).withApp(false).observer(watch).announceTo(context.runningStacks());
        settings.forEach(builder::setting);
        if (noRegistry) {
            builder.without(Service.REGISTRY);
        }
        return builder.start();
    }

    /** Makes the topics and starts the application, which does not start without them. */
    private void startApplication(DevStack stack) {
        EbbConfig config = EbbConfig.load(new ConfigSources(stack.settingsFile(), Map.of(), Map.of()));
        Terminal terminal = context.terminal();
        new KafkaSession(config).topics(topics -> topics.create()).forEach(line -> terminal.err()
                .println(line));
        stack.app().start(Map.of());
    }
}
