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
import dev.ebb.cli.terminal.Style;
import dev.ebb.cli.terminal.Table.Cell;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.runtime.kafka.TopicProblem;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(name = "topics", description = "Kafka topics that Ebb works with.", footer = "  ebb topics check")
@Subcommands({TopicsCommand.CreateCommand.class, TopicsCommand.CheckCommand.class})
public final class TopicsCommand extends CommandGroup {

    @Command(
            name = "create",
            description = "Makes missing topics and corrects settings that differ. Deletes nothing.",
            footer = "  ebb topics create --set bootstrap.servers=kafka-1:9092 --set topics.partitions=8")
    static final class CreateCommand extends OutputCommand {

        @Mixin
        private KafkaOptions kafka;

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

    @Command(
            name = "check",
            description =
                    "Compares the topics with what Ebb needs, and names the fix of each difference (exit code 3).",
            footer = "  ebb topics check --set bootstrap.servers=kafka-1:9092")
    static final class CheckCommand extends OutputCommand {

        @Mixin
        private KafkaOptions kafka;

        @Override
        public Integer call() {
            List<TopicProblem> problems = kafka.topics(topics -> topics.check());
            output.print(json(problems), terminal -> table(terminal, problems));
            return (problems.isEmpty() ? ExitCode.OK : ExitCode.DIFFERENCES).code();
        }

        private static ObjectNode json(List<TopicProblem> problems) {
            ObjectNode result = Json.object();
            ArrayNode list = result.putArray("problems");
            for (TopicProblem problem : problems) {
                list.addObject()
                        .put("topic", problem.topic())
                        .put("problem", problem.problem())
                        .put("fix", problem.fix())
                        .put("fault", problem.isFault());
            }
            return result;
        }

        private static void table(Terminal terminal, List<TopicProblem> problems) {
            if (problems.isEmpty()) {
                terminal.out().println("All topics are as they should be.");
                return;
            }
            new Columns<TopicProblem>()
                    .left("TOPIC", TopicProblem::topic)
                    .left("PROBLEM", one -> new Cell(one.problem(), one.isFault() ? Style.RED : Style.YELLOW))
                    .left("FIX", TopicProblem::fix)
                    .table(problems)
                    .print(terminal);
        }
    }
}
