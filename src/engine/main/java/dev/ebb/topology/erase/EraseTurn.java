package dev.ebb.topology.erase;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.plan.LeftOut;
import dev.ebb.store.events.Found;
import dev.ebb.store.search.FoundEvents;
import dev.ebb.store.search.FoundFate;
import dev.ebb.store.search.Match;
import dev.ebb.store.state.StreamState;

/**
 * Turns of stored events, one by one: decides on the event whose turn it is, and notes its fate. Holds are checked at
 * that moment and win over everything. Not thread-safe.
 */
final class EraseTurn {

    /** Outcome of a turn. */
    enum Outcome {
        /** The event has gone, would go, or stays. */
        SETTLED,
        /** The event is gone: something else deleted it, and may have made a copy of it. */
        GONE,
        /** It is not known yet whether the event is protected. */
        WAITS
    }

    /** Remover of events from the store. */
    interface Remover {
        void remove(StreamState stream, Found found);
    }

    private final EraseTask task;
    private final FoundEvents found;
    private final EraseAllowance allowance;
    private long events;
    private long bytes;
    private Outcome outcome = Outcome.SETTLED;

    /**
     * @param allowance tells how many more events may go
     * @param events number of events that had gone before a crash
     * @param bytes their size
     */
    public EraseTurn(EraseTask task, FoundEvents found, EraseAllowance allowance, long events, long bytes) {
        this.allowance = allowance;
        this.task = task;
        this.found = found;
        this.events = events;
        this.bytes = bytes;
    }

    /** Returns the number of events that have gone, or would go. */
    public long events() {
        return events;
    }

    /** Returns the size of these events, in bytes. */
    public long bytes() {
        return bytes;
    }

    /** Takes the turn of an event. */
    public Outcome take(Match match, Remover remover, long nowMs) {
        Command.OfMatches command = task.command();
        StreamState stream = task.store().stream(match.stream());
        if (stream == null) {
            return gone(match);
        }
        if (!command.isForced() && stream.isBeingSorted()) {
            // It is not known yet whether the status of the event protects it (M-3).
            return stream.quarantine() == null ? Outcome.WAITS : leave(match, LeftOut.NOT_READY);
        }
        boolean isDone = task.guard().attempt(stream, nowMs, () -> outcome = decide(stream, match, remover));
        return isDone ? outcome : leave(match, LeftOut.FAILED);
    }

    private Outcome decide(StreamState stream, Match match, Remover remover) {
        Found stored = task.store().find(stream, new EventId(match.id()));
        if (stored == null) {
            return gone(match);
        }
        Match now = new Match(match.stream(), match.id(), stored.event().storedAt());
        if (task.isPlanned() && !now.equals(match)) {
            return leave(match, LeftOut.CHANGED);
        }
        if (!task.isMeant(task.store().read(stored).event())) {
            return task.isPlanned() ? leave(match, LeftOut.KEPT) : Outcome.SETTLED;
        }
        boolean isProtected = task.store().facts(stored).isProtected();
        if (task.policies().get().isHeld(match.stream())) {
            return leave(now, LeftOut.HELD);
        }
        if (isProtected && !task.command().isForced()) {
            return leave(now, LeftOut.PROTECTED);
        }
        return task.isDryRun() || allowance.take(match.stream().namespace())
                ? remove(stream, stored, now, isProtected, remover)
                : leave(now, LeftOut.UNCOUNTED);
    }

    private Outcome remove(StreamState stream, Found stored, Match event, boolean isProtected, Remover remover) {
        long size = stored.event().sizeBytes();
        FoundFate fate = found.of(event);
        if (task.isDryRun()) {
            found.put(event, fate.wouldGo(isProtected, size));
        } else {
            remover.remove(stream, stored);
            found.put(event, fate.erasedOnceMore(isProtected, size));
        }
        events++;
        bytes += size;
        return Outcome.SETTLED;
    }

    private Outcome gone(Match match) {
        if (task.isPlanned()) {
            leave(match, LeftOut.GONE);
        }
        return Outcome.GONE;
    }

    private Outcome leave(Match event, LeftOut reason) {
        FoundFate fate = found.of(event);
        found.put(event, task.isDryRun() ? fate.wouldStay(reason) : fate.leftBy(reason));
        return Outcome.SETTLED;
    }
}
