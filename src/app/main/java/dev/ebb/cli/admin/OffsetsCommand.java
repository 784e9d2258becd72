package dev.ebb.cli.admin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.KafkaOptions;
import dev.ebb.cli.options.OutputCommand;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.runtime.streams.InputOffsets;
import dev.ebb.runtime.streams.LostOffset;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "offsets",
        description = "Group offsets: the progress of the application in its input.",
        footer = "  ebb offsets check")
@Subcommands({OffsetsCommand.CheckCommand.class, OffsetsCommand.RestoreCommand.class})
public final class OffsetsCommand extends CommandGroup {

    @Command(
            name = "check",
            description =
                    "Finds group offsets that the broker has forgotten or that lie behind the state (exit code 3).",
            footer = "  ebb offsets check --set bootstrap.servers=kafka-1:9092")
    static final class CheckCommand extends OutputCommand {

        @Mixin
        private KafkaOptions kafka;

        @Override
        public Integer call() {
            List<LostOffset> lost = kafka.offsets(InputOffsets::check);
            output.print(json(lost), terminal -> table(terminal, lost));
            return (lost.isEmpty() ? ExitCode.OK : ExitCode.DIFFERENCES).code();
        }

        private static ObjectNode json(List<LostOffset> lost) {
            ObjectNode result = Json.object();
            ArrayNode list = result.putArray("lost");
            for (LostOffset offset : lost) {
                list.addObject()
                        .put("topic", offset.partition().topic())
                        .put("partition", offset.partition().partition())
                        .put("committed", offset.committed())
                        .put("next", offset.next())
                        .put("fix", offset.fix());
            }
            return result;
        }

        private static void table(Terminal terminal, List<LostOffset> lost) {
            if (lost.isEmpty()) {
                terminal.out().println("Every offset agrees with the state.");
                return;
            }
            new Columns<LostOffset>()
                    .left("PARTITION", LostOffset::partition)
                    .right("OFFSET", LostOffset::committed)
                    .right("TAKEN IN BEFORE", LostOffset::next)
                    .left("FIX", LostOffset::fix)
                    .table(lost)
                    .print(terminal);
        }
    }

    @Command(
            name = "restore",
            description =
                    "Sets offsets that are missing or lie behind the state to the position of the state. No instance may"
                            + " run.",
            footer = "  ebb offsets restore --set bootstrap.servers=kafka-1:9092")
    static final class RestoreCommand extends OutputCommand {

        @Mixin
        private KafkaOptions kafka;

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
}
