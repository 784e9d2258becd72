package dev.ebb.instance;

import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.options.ApiCommand;
import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.CellText;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.instance.GroupView.InstanceView;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "instance",
        description = "Instances: lists them, and removes a dead one from the group.",
        footer = {"  ebb instance list", "  ebb instance remove ebb-2 --dry-run"})
@Subcommands({InstanceCommand.ListCommand.class, InstanceCommand.RemoveCommand.class})
public final class InstanceCommand extends CommandGroup {

    @Command(name = "list", footer = "  ebb instance list")
    static final class ListCommand extends ReadCommand<GroupView> {

        ListCommand() {
            super(GroupView.LIST, group -> table(group.instances()));
        }

        private static Table table(List<InstanceView> instances) {
            return new Columns<InstanceView>()
                    .left("INSTANCE", one -> one.instance().isEmpty() ? Texts.NONE : one.instance())
                    .left("MEMBER", one -> one.member() == null ? Texts.NONE : one.member())
                    .left("STATE", InstanceView::state)
                    .left("PARTITIONS", one -> numbers(one.partitions()))
                    .left("COPIES (BEHIND)", ListCommand::copies)
                    .time("STARTED", InstanceView::startedAt)
                    .time("LAST HEARTBEAT", InstanceView::lastHeartbeat)
                    .left("PROBLEM", one -> one.problem() == null ? "" : one.problem())
                    .table(instances);
        }

        private static String copies(InstanceView one) {
            String all = one.copies().stream()
                    .map(copy -> copy.partition() + (copy.lagRecords() == null ? "" : " (" + copy.lagRecords() + ")"))
                    .collect(Collectors.joining(", "));
            return all.isEmpty() ? Texts.NONE : all;
        }
    }

    @Command(
            name = "remove",
            description = {
                "Removes a dead instance from the group, so that the others take over its partitions at once instead of"
                        + " when its session times out (kafka.session.timeout.ms).",
                "Refuses an instance that answers at its address or still sends heartbeats to Kafka; nothing forces it."
                        + " 'ebb drain' takes a living one out. A removed instance that comes back joins anew."
            },
            footer = {"  ebb instance remove ebb-2 --dry-run", "  ebb instance remove ebb-2 --reason 'its host is gone'"
            })
    static final class RemoveCommand extends ApiCommand {

        @Parameters(paramLabel = "ID", description = "Fixed name (group.instance.id) or address of the instance.")
        private String id;

        @Option(names = "--dry-run", description = "Only find out whether the instance is dead.")
        private boolean dryRun;

        @Option(names = "--reason", paramLabel = "TEXT", description = "Reason, for the log.")
        private String reason = "";

        @Option(names = "--actor", paramLabel = "NAME", description = "Author. Default: the user of this system.")
        private String actor = System.getProperty("user.name", "");

        @Override
        public Integer call() {
            RestPath path = RestPath.of("v1", "instances", id)
                    .withFlag("dryRun", dryRun)
                    .with("actor", actor)
                    .with("reason", reason);
            JsonNode removed = api.connect().delete(path);
            return output.show(removed, RemovalView.class, RemoveCommand::print);
        }

        private static void print(Terminal terminal, RemovalView removed) {
            String partitions = numbers(removed.partitions());
            terminal.out()
                    .println(CellText.safe(removed.member()) + " is dead: " + CellText.safe(removed.evidence()) + ".");
            terminal.out()
                    .println(
                            removed.isRemoved()
                                    ? "It is removed from the group; the others take over partition " + partitions + "."
                                    : "It would be removed; the others would take over partition " + partitions + ".");
            if (!removed.withoutCopy().isEmpty()) {
                terminal.out()
                        .println("No instance has a copy of partition " + numbers(removed.withoutCopy())
                                + ": it is restored first; 'ebb status' shows how far it is.");
            }
        }
    }

    private static String numbers(List<Integer> partitions) {
        return partitions.isEmpty()
                ? Texts.NONE
                : partitions.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
