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
        name = "create",
        description = "Makes missing topics and corrects settings that differ. Deletes nothing.",
        footer = "  ebb topics create --set bootstrap.servers=kafka-1:9092 --set topics.partitions=8")
final class TopicsCreateCommand implements Callable<Integer> {

    @Mixin
    private KafkaOptions kafka;

    @Mixin
    private OutputOptions output;

    @Override
    public Integer call() {
        List<String> done = kafka.topics(topics -> topics.create());
        ObjectNode result = Json.object();
        done.forEach(result.putArray("done")::add);
        output.print(result, terminal -> done.forEach(line -> terminal.out().println(CellText.safe(line))));
        if (done.isEmpty() && output.isTable()) {
            output.note("All topics are as they should be.");
        }
        return ExitCode.OK.code();
    }
}
