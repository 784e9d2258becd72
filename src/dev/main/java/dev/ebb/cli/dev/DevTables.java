package dev.ebb.cli.dev;

import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.config.ConfigSources;
import dev.ebb.devstack.DevStack;
import dev.ebb.devstack.process.Service;
import dev.ebb.stacks.Endpoints;
import java.nio.file.Path;
import java.util.Map;

/** Addresses of the services of a stack, and commands to try next. */
final class DevTables {

    private final Terminal terminal;
    private final DevStack stack;
    private final Path folder;
    private final TryCommands tries;

    DevTables(CommandEnvironment context, DevStack stack, Path folder) {
        this.terminal = context.terminal();
        this.stack = stack;
        this.folder = folder;
        // Commands find the stack in the default folder by themselves, unless the environment directs them elsewhere.
        boolean isFound =
                folder.equals(context.devFolder()) && !context.environment().containsKey(ConfigSources.CONFIG_VARIABLE);
        this.tries = new TryCommands(
                CommandEnvironment.program(),
                isFound ? null : stack.settingsFile(),
                stack.postgres().passfile());
    }

    void print(StackWatch watch) {
        terminal.out().println();
        services(watch.pids()).print(terminal);
        terminal.out().println();
        terminal.out().println("data  " + folder);
        terminal.out().println("logs  " + folder.resolve("logs"));
        terminal.out().println();
        terminal.out()
                .println(terminal.styled(Style.CYAN, "Look in a browser:") + "  "
                        + stack.endpoints().apiUrl() + "  stored events, when they go, and why");
        terminal.out().println();
        terminal.out().println(terminal.styled(Style.CYAN, "Try in another terminal:"));
        tries.of(stack.endpoints()).forEach((what, command) -> terminal.out().printf("  %-28s %s%n", what, command));
        terminal.out().println();
        terminal.out().println("Ctrl-C stops everything; the data stays.");
        terminal.out().flush();
    }

    private Table services(Map<Service, Long> pids) {
        Endpoints endpoints = stack.endpoints();
        Table table = new Table().left("SERVICE").left("ADDRESS").right("PID").left("LOG");
        row(
                table,
                "Kafka broker",
                endpoints.bootstrapServers(),
                pids,
                Service.BROKER,
                stack.broker().logFile());
        if (pids.containsKey(Service.REGISTRY)) {
            row(
                    table,
                    "Schema registry",
                    endpoints.registryUrl(),
                    pids,
                    Service.REGISTRY,
                    stack.registry().logFile());
        }
        row(
                table,
                "PostgreSQL",
                endpoints.jdbcUrl(),
                pids,
                Service.POSTGRES,
                stack.postgres().logFile());
        row(
                table,
                "Kafka Connect",
                endpoints.connectUrl(),
                pids,
                Service.CONNECT,
                stack.connect().logFile());
        row(table, "Ebb", endpoints.apiUrl(), pids, Service.APP, stack.app().logFile());
        return table;
    }

    private void row(Table table, String name, String address, Map<Service, Long> pids, Service service, Path log) {
        table.row(name, address, pids.getOrDefault(service, 0L), folder.relativize(log));
    }
}
