package dev.ebb.cli.admin;

import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.outcome.ExitCode;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "set",
        description = "Adds a context, or replaces one of the same name. The first one is in use at once.",
        footer = "  ebb context set prod https://ebb-1:8480 --token-file prod.token --ca-file ca.crt")
final class ContextSetCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the context: letters, digits, '-' and '_'.")
    private String name;

    @Parameters(index = "1", paramLabel = "URL", description = "The application's address.")
    private String api;

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "A file that holds only the token; its path is kept, and not the token.")
    private @Nullable Path tokenFile;

    @Option(names = "--ca-file", paramLabel = "FILE", description = "Certificates in PEM that verify the address.")
    private @Nullable Path caFile;

    private final CommandEnvironment context;

    ContextSetCommand(CommandEnvironment context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Contexts.Target target =
                new Contexts.Target(ApiAddress.parse(api, "URL").url(), absolute(tokenFile), absolute(caFile));
        Contexts contexts = Contexts.of(context.environment()).with(name, target);
        contexts.save();
        String use = name.equals(contexts.current()) ? ", in use" : "; 'ebb context use " + name + "' puts it into use";
        context.terminal().out().println(name + " is " + target.api() + use);
        return ExitCode.OK.code();
    }

    private static String absolute(@Nullable Path file) {
        return file == null ? "" : file.toAbsolutePath().normalize().toString();
    }
}
