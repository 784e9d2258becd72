package dev.ebb.cli.events;

import dev.ebb.cli.options.CommandGroup;
import dev.ebb.cli.options.Subcommands;
import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Columns;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.NamespaceView;
import dev.ebb.wire.events.NamespaceView.ExpiringView;
import dev.ebb.wire.events.NamespaceView.TtlView;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;

@Command(
        name = "namespace",
        description = "Namespaces: their contents, and the events that expire.",
        footer = "  ebb namespace describe orders --show-ttl-stats")
@Subcommands({NamespaceCommand.ListCommand.class, NamespaceCommand.DescribeCommand.class})
public final class NamespaceCommand extends CommandGroup {

    @Command(name = "list", footer = "  ebb namespace list -o json")
    static final class ListCommand extends ReadCommand<NamespaceView.All> {

        ListCommand() {
            super(NamespaceView.LIST, all -> table(all.namespaces()));
        }

        private static Table table(List<NamespaceView> namespaces) {
            Instant now = Instant.now();
            return new Columns<NamespaceView>()
                    .left("NAMESPACE", NamespaceView::namespace)
                    .count("STREAMS", NamespaceView::streams)
                    .count("EVENTS", NamespaceView::events)
                    .bytes("BYTES", NamespaceView::bytes)
                    .count("PROTECTED", NamespaceView::protectedEvents)
                    .count("EXPIRING", namespace -> namespace.expiring().events())
                    .bytes("BYTES", namespace -> namespace.expiring().bytes())
                    .left(
                            "EARLIEST",
                            namespace -> Texts.distance(namespace.expiring().earliest(), now))
                    .table(namespaces);
        }
    }

    @Command(name = "describe", footer = "  ebb namespace describe orders --show-ttl-stats")
    static final class DescribeCommand extends ReadCommand<NamespaceView> {

        DescribeCommand() {
            super(NamespaceView.SHOW, DescribeCommand::table);
        }

        private static void table(Terminal terminal, NamespaceView held) {
            Table table = Table.ofFacts();
            table.fact("namespace", held.namespace());
            table.fact("streams", Texts.count(held.streams()));
            table.fact("events", Texts.count(held.events()));
            table.fact("bytes", Texts.bytes(held.bytes()));
            table.fact("protected", Texts.count(held.protectedEvents()));
            ExpiringView expiring = held.expiring();
            table.fact("expiring within warnBefore", due(expiring.events(), expiring.bytes()));
            table.fact("the first of them", Texts.distance(expiring.earliest(), Instant.now()));
            if (held.ttl() != null) {
                ttl(table, held.ttl());
            }
            table.print(terminal);
        }

        private static void ttl(Table table, TtlView ttl) {
            String atLeast = ttl.exact() ? "" : "at least ";
            table.fact("own TTL", Texts.count(ttl.ownTtl()));
            table.fact("without TTL", Texts.count(ttl.withoutTtl()));
            table.fact("kept for ever", Texts.count(ttl.infinite()));
            table.fact("expired in the last hour", expired(ttl));
            table.fact("due in the next hour", atLeast + due(ttl.dueNextHour(), ttl.bytesDueNextHour()));
            table.fact("due in the next day", atLeast + due(ttl.dueNextDay(), ttl.bytesDueNextDay()));
            table.fact("counted", Texts.time(ttl.countedAt()));
        }

        private static String expired(TtlView ttl) {
            String events = Texts.count(ttl.expiredLastHour()) + " until " + Texts.time(ttl.expiredCountedAt());
            return ttl.expiredExact() ? events : "at least " + events + "; the audit could not be read to its end";
        }

        private static String due(long events, long bytes) {
            return Texts.counted(events, "event") + ", " + Texts.bytes(bytes);
        }
    }
}
