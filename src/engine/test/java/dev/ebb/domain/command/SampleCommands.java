package dev.ebb.domain.command;

import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.undo.UndoFilter;
import java.util.List;
import java.util.stream.Stream;

/** Commands of every kind, with every field set in one of them at least. */
public final class SampleCommands {

    private static final long T0 = 1_800_000_000_000L;
    private static final StreamName STREAM = new StreamName("orders/\"eu-1");
    private static final EventId ID = new EventId("e-1");
    private static final StreamFilter NARROW =
            new StreamFilter(List.of(STREAM, new StreamName("b")), T0 + 5, "orders", 7, false);
    private static final StreamFilter WIDE = new StreamFilter(null, null, null, 1000, true);
    private static final RowKey ROW = RowKey.parse("2026-01-31T09:00:00.123Z a b");
    private static final RowKey ROW_BY_HAND = RowKey.parse("1969-01-01T00:00:00.000001Z ");

    private SampleCommands() {}

    public static Stream<Command> all() {
        return Stream.of(
                new Command.DeleteStream(STREAM, false),
                new Command.DeleteStream(STREAM, true),
                new Command.PurgeStreams(NARROW),
                new Command.PurgeStreams(WIDE),
                new Command.PurgeStreams(new StreamFilter(List.of(), null, null, 1, false)),
                new Command.PruneStream(STREAM, new PruneCondition(null, null)),
                new Command.PruneStream(STREAM, new PruneCondition(0L, T0)),
                new Command.PruneStreams(NARROW, new PruneCondition(3L, null), true),
                new Command.PruneStreams(WIDE, new PruneCondition(null, T0 + 9), false),
                new Command.SetTtl(STREAM, ID, OwnTtl.NONE, 1L),
                new Command.SetTtl(STREAM, ID, OwnTtl.NONE, null),
                new Command.SetTtl(STREAM, ID, OwnTtl.INFINITE, null),
                new Command.SetTtl(STREAM, ID, OwnTtl.of(null, T0 + 77, false), null),
                new Command.DeleteEvent(STREAM, ID, true),
                new Command.RepairStream(STREAM),
                new Command.RepairMirror(STREAM, List.of(ROW, ROW_BY_HAND), List.of(0L, 7L)),
                new Command.SweepNow(Scope.ALL, null),
                new Command.SweepNow(Scope.stream("a"), T0 + 5),
                new Command.SweepNow(Scope.namespace("a"), null, "policies: []", true),
                new Command.DropParked(STREAM, 7L, "ebb.events/2/4711"),
                new Command.RetryParked(null, null),
                new Command.RetryParked(STREAM, 7L),
                new Command.EmptySource("orders", true, true),
                new Command.EmptySource("orders", false, false),
                new Command.UndoDeletes(new UndoFilter("c-9", null, null, null, null, null, "shop", null), null),
                new Command.UndoDeletes(new UndoFilter(null, "s-9", null, null, null, null, null, STREAM), 12L),
                new Command.UndoDeletes(new UndoFilter(null, null, "pattern:cache", 7L, null, null, null, null), null),
                new Command.UndoDeletes(new UndoFilter(null, null, null, null, T0 + 3, T0 + 9, null, null), null),
                new Command.EraseEvents(
                        List.of(EventCondition.parse("metadata.user=42"), EventCondition.parse("type=a=b")),
                        "shop",
                        "GDPR-7",
                        true));
    }

    /** The request with that command, a dry run if the command is for these alone, and else with a plan if it can. */
    public static CommandRequest request(Command command) {
        boolean isDryRun =
                command instanceof Command.SweepNow sweep && (sweep.atMs() != null || sweep.policies() != null);
        boolean isBounded = Command.Kinds.of(command).takes(CommandField.MAX_DELETES);
        String plan = !isDryRun && Command.Kinds.of(command).takes(CommandField.PLAN) ? "p-1" : null;
        return new CommandRequest("c-1", "anna", "why", isDryRun, isBounded ? 5L : null, command, plan);
    }

    /** The leaves of the sealed type: all commands that there are. */
    public static Stream<Class<?>> types() {
        return types(Command.class);
    }

    private static Stream<Class<?>> types(Class<?> type) {
        return type.isSealed()
                ? Stream.of(type.getPermittedSubclasses()).flatMap(SampleCommands::types)
                : Stream.of(type);
    }
}
