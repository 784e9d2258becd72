package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.ApiAddress;
import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Columns;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "context",
        description = "Applications by name: address, file of the token, certificates.",
        footer = {
            "  ebb context set prod https://ebb-1:8480 --token-file prod.token --ca-file ca.crt",
            "  ebb context use prod",
            "  EBB_CONTEXT=test ebb status"
        })
@Subcommands({
    ContextCommand.ListCommand.class,
    ContextCommand.UseCommand.class,
    ContextCommand.SetCommand.class,
    ContextCommand.DeleteCommand.class
})
public final class ContextCommand extends CommandGroup {

    @Command(
            name = "list",
            description = "Lists the contexts; a star marks the one in use.",
            footer = "  ebb context list")
    static final class ListCommand extends OutputCommand {

        private final CommandEnvironment context;

        ListCommand(CommandEnvironment context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            Contexts contexts = Contexts.of(context.environment());
            output.print(json(contexts), terminal -> new Columns<String>()
                    .left("", name -> name.equals(contexts.current()) ? "*" : "")
                    .left("CONTEXT", name -> name)
                    .left("APPLICATION", name -> contexts.get(name).api())
                    .left("TOKEN FILE", name -> contexts.get(name).tokenFile())
                    .left("CA FILE", name -> contexts.get(name).caFile())
                    .table(contexts.names())
                    .print(terminal));
            return ExitCode.OK.code();
        }

        private static ObjectNode json(Contexts contexts) {
            ObjectNode result = Json.object().put("current", contexts.current());
            ArrayNode all = result.putArray("contexts");
            for (String name : contexts.names()) {
                Contexts.Target one = contexts.get(name);
                all.addObject()
                        .put("name", name)
                        .put("api", one.api())
                        .put("tokenFile", one.tokenFile())
                        .put("caFile", one.caFile());
            }
            return result;
        }
    }

    /** A command on a context that there is. */
    abstract static class NamedCommand implements Callable<Integer> {

        @Parameters(paramLabel = "NAME", description = "Name of the context.")
        String name;

        final CommandEnvironment context;

        private NamedCommand(CommandEnvironment context) {
            this.context = context;
        }
    }

    @Command(
            name = "use",
            description = "Puts a context into use: commands reach its application from now on.",
            footer = "  ebb context use prod")
    static final class UseCommand extends NamedCommand {

        UseCommand(CommandEnvironment context) {
            super(context);
        }

        @Override
        public Integer call() {
            Contexts contexts = Contexts.of(context.environment()).using(name);
            contexts.save();
            context.terminal()
                    .out()
                    .println(name + " is in use: " + contexts.get(name).api());
            return ExitCode.OK.code();
        }
    }

    @Command(
            name = "set",
            description = "Adds a context, or replaces one of the same name. The first one is in use at once.",
            footer = "  ebb context set prod https://ebb-1:8480 --token-file prod.token --ca-file ca.crt")
    static final class SetCommand implements Callable<Integer> {

        @Parameters(
                index = "0",
                paramLabel = "NAME",
                description = "Name of the context: letters, digits, '-' and '_'.")
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

        SetCommand(CommandEnvironment context) {
            this.context = context;
        }

        @Override
        public Integer call() {
            Contexts.Target target =
                    new Contexts.Target(ApiAddress.parse(api, "URL").url(), absolute(tokenFile), absolute(caFile));
            Contexts contexts = Contexts.of(context.environment()).with(name, target);
            contexts.save();
            String use =
                    name.equals(contexts.current()) ? ", in use" : "; 'ebb context use " + name + "' puts it into use";
            context.terminal().out().println(name + " is " + target.api() + use);
            return ExitCode.OK.code();
        }

        private static String absolute(@Nullable Path file) {
            return file == null ? "" : file.toAbsolutePath().normalize().toString();
        }
    }

    @Command(
            name = "delete",
            description = "Forgets a context. The application and its token stay as they are.",
            footer = "  ebb context delete test")
    static final class DeleteCommand extends NamedCommand {

        DeleteCommand(CommandEnvironment context) {
            super(context);
        }

        @Override
        public Integer call() {
            Contexts.of(context.environment()).without(name).save();
            return ExitCode.OK.code();
        }
    }
}
