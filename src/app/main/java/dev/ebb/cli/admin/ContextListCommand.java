package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Contexts;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandEnvironment;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.Columns;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "list", description = "Lists the contexts; a star marks the one in use.", footer = "  ebb context list")
final class ContextListCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output;

    private final CommandEnvironment context;

    ContextListCommand(CommandEnvironment context) {
        this.context = context;
        this.output = new OutputOptions(context);
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
