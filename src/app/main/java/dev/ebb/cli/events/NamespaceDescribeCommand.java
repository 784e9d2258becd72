package dev.ebb.cli.events;

import dev.ebb.cli.read.ReadCommand;
import dev.ebb.cli.terminal.Table;
import dev.ebb.cli.terminal.Terminal;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.events.NamespaceView;
import dev.ebb.wire.events.NamespaceView.ExpiringView;
import dev.ebb.wire.events.NamespaceView.TtlView;
import java.time.Instant;
import picocli.CommandLine.Command;

@Command(name = "describe", footer = "  ebb namespace describe orders --show-ttl-stats")
final class NamespaceDescribeCommand extends ReadCommand<NamespaceView> {

    NamespaceDescribeCommand() {
        super(NamespaceView.SHOW, NamespaceDescribeCommand::table);
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
