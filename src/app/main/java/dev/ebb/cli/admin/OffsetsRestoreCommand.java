package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.KafkaOptions;
import dev.ebb.cli.options.OutputOptions;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "restore",
        description =
                "Sets offsets that are missing or lie behind the state to the position of the state. No instance may"
                        + " run.",
        footer = "  ebb offsets restore --set bootstrap.servers=kafka-1:9092")
final class OffsetsRestoreCommand implements Callable<Integer> {

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        List<String> done = kafka.offsets(offsets -> offsets.restore(offsets.check()));
        ObjectNode result = Json.object();
        done.forEach(result.putArray("done")::add);
        output.print(result, terminal -> done.forEach(line -> terminal.out().println(CellText.safe(line))));
        if (done.isEmpty() && output.isTable()) {
            output.note("Every offset agrees with the state.");
        }
        return ExitCode.OK.code();
    }
}
