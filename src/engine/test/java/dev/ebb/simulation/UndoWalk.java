package dev.ebb.simulation;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.UndoFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Steps in which a person undoes deletes (T-2): of a command, more often of one of the last, or of a stream, a namespace or
 * all since some time, with an end or without. Before some of them, and at once behind some, events come for the names of
 * what was deleted, so that an undo meets streams and ids that have been used again. The policies of the walk draw the
 * anchor. Not thread-safe.
 */
final class UndoWalk {

    private static final int LAST = 4;
    private static final int SOME_TIME_MS = 100_000;

    private final Walk walk;
    private final World world;
    private final Draw draw;
    private final Inputs inputs;

    UndoWalk(Walk walk, Draw draw, Inputs inputs) {
        this.walk = walk;
        this.world = walk.world;
        this.draw = draw;
        this.inputs = inputs;
    }

    boolean undo() {
        CommandRequest deleted = someDelete();
        UndoFilter filter = filter(deleted);
        if (filter == null) {
            return false;
        }
        StreamName stream =
                deleted != null && deleted.command() instanceof Command.OfStream one ? one.stream() : filter.stream();
        meet(stream);
        walk.send(new CommandRequest(
                "u" + Integer.toHexString(draw.below(1 << 30)),
                "eva",
                "by mistake",
                draw.oneIn(6),
                null,
                new Command.UndoDeletes(filter, null)));
        meet(stream);
        return true;
    }

    /** Uses a name again. */
    private void meet(@Nullable StreamName stream) {
        if (stream == null || !Draw.STREAMS.contains(stream.value())) {
            return;
        }
        while (draw.oneIn(3)) {
            walk.send(inputs.any(stream, world.nowMs));
        }
    }

    private @Nullable CommandRequest someDelete() {
        List<CommandRequest> all = new ArrayList<>();
        for (CommandRequest request : world.commands.all()) {
            if (!(request.command() instanceof Command.UndoDeletes) && !request.isDryRun()) {
                all.add(request);
            }
        }
        if (all.isEmpty()) {
            return null;
        }
        return draw.of(draw.oneIn(3) ? all : all.subList(Math.max(0, all.size() - LAST), all.size()));
    }

    private @Nullable UndoFilter filter(@Nullable CommandRequest deleted) {
        int dice = draw.below(7);
        if (dice > 2) {
            StreamName stream = draw.oneIn(8) ? draw.stream() : null;
            return deleted == null
                    ? null
                    : new UndoFilter(deleted.commandId(), null, null, null, null, null, null, stream);
        }
        long sinceMs = world.nowMs - draw.below(SOME_TIME_MS);
        Long untilMs = draw.oneIn(3) ? Long.valueOf(sinceMs + 1 + draw.below(SOME_TIME_MS)) : null;
        String namespace = dice == 1 ? draw.stream().namespace() : null;
        StreamName stream = dice == 2 ? draw.stream() : null;
        return new UndoFilter(null, null, null, null, sinceMs, untilMs, namespace, stream);
    }
}
