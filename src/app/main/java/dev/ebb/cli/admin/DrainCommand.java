package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.wire.instance.DrainView;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
        name = "drain",
        description = {
            "Takes one instance out before you stop it for good: it finishes the work under way, commits and leaves,"
                    + " and the others take over its partitions within seconds. A restart or an upgrade needs no"
                    + " drain: an instance with its own name (group.instance.id) gets its partitions back.",
            "Acts on exactly the instance that --api names. This instance is then no longer ready, and waits to be"
                    + " stopped; a new start brings it back."
        },
        footer = {
            "  ebb drain --api http://127.0.0.1:8481",
            "  kubectl -n ebb exec ebb-2 -- ebb drain && kubectl -n ebb scale statefulset/ebb --replicas=2"
        })
public final class DrainCommand extends ApiCommand {

    @Option(names = "--force", description = "Drain even if no other instance can take over.")
    private boolean force;

    @Override
    public Integer call() {
        RestPath path = RestPath.of("v1", "drain");
        JsonNode drained = api.connect().post(path.withFlag("force", force));
        return output.show(drained, DrainView.class, DrainCommand::print);
    }

    private static void print(Terminal terminal, DrainView drained) {
        boolean isLast = drained.others() == 0;
        String becomes = whatBecomesOf(numbers(drained.partitions()), isLast);
        terminal.out().println(CellText.safe(drained.instance()) + " has left; " + becomes);
        String withoutCopy = numbers(drained.withoutCopy());
        if (!withoutCopy.isEmpty() && !isLast) {
            terminal.out()
                    .println("No instance had a copy of partition " + withoutCopy
                            + ": it is restored first; 'ebb status' of another instance shows how far it is.");
        }
        terminal.out().println("Stop it now, or restart it to bring it back.");
    }

    private static String whatBecomesOf(String kept, boolean isLast) {
        if (kept.isEmpty()) {
            return "it kept no partition.";
        }
        return isLast
                ? "no instance can take over partition " + kept + ": events wait in Kafka until an instance starts."
                : "the others take over partition " + kept + ".";
    }

    private static String numbers(List<Integer> partitions) {
        return partitions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
