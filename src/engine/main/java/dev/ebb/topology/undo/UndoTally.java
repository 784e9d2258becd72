package dev.ebb.topology.undo;

import dev.ebb.domain.command.Outcome.Left;
import dev.ebb.domain.command.Outcome.Undone;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.NotReturned;
import dev.ebb.topology.trash.Forged;
import dev.ebb.topology.trash.FoundTrash;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Count of the events that an undo brings back in one partition, and of those that stay away. Not thread-safe. */
final class UndoTally {

    private final Undone before;
    private final DueAgain dueAgain;
    private final Set<StreamName> streams = new HashSet<>();
    private final Map<NotReturned, Long> left = new EnumMap<>(NotReturned.class);
    private final List<Left> named = new ArrayList<>();
    private final List<String> streamNames = new ArrayList<>();
    private long streamCount;
    private long events;
    private long bytes;
    private long executions;
    private long lostExecutions;

    /** @param before the events that were brought back before a crash; those left out are found again */
    public UndoTally(Undone before) {
        this.before = before;
        this.dueAgain = new DueAgain(before.notice());
    }

    /** Returns the times at which the counted events fall due again. */
    DueAgain dueAgain() {
        return dueAgain;
    }

    /** Counts a stream to which something comes back, if it was not counted. */
    void stream(StreamName stream) {
        if (streams.add(stream)) {
            streamCount++;
            if (streamNames.size() < Undone.MOST_STREAMS) {
                streamNames.add(stream.value());
            }
        }
    }

    /** Notes a stream that was counted before a crash. */
    void knownStream(StreamName stream) {
        streams.add(stream);
    }

    void event(long size) {
        events++;
        bytes += size;
    }

    /** @param isLost true if the trash has lost its record, and an event has carried it along */
    void execution(boolean isLost) {
        executions++;
        lostExecutions += isLost ? 1 : 0;
    }

    /** Counts an event that stays away, and names it if it is one of the first. */
    void left(StreamName stream, String id, NotReturned reason) {
        left(reason, 1);
        name(stream, id, reason);
    }

    private void name(StreamName stream, String id, NotReturned reason) {
        if (named.size() < Undone.MOST_NAMED) {
            named.add(new Left(stream.value(), id, reason));
        }
    }

    /** Counts the events and executions that were promised and not found, unless an execution came with its event. */
    void missing(FoundTrash found) {
        long missing = found.missingEvents() + Math.max(0, found.missingExecutions() - lostExecutions);
        if (missing > 0) {
            left(NotReturned.MISSING, missing);
        }
    }

    /** Counts the records that were refused. */
    void forged(Forged forged) {
        if (forged.records() > 0) {
            left(NotReturned.FORGED, forged.records());
            forged.first().forEach(key -> name(key.stream(), key.id(), NotReturned.FORGED));
        }
    }

    private void left(NotReturned reason, long number) {
        left.merge(reason, number, Long::sum);
    }

    /** Returns the count of what is back, which survives a crash. */
    public Undone returned() {
        List<String> names = new ArrayList<>(before.streamNames());
        streamNames.stream().limit(Undone.MOST_STREAMS - names.size()).forEach(names::add);
        return new Undone(
                before.events() + events,
                before.bytes() + bytes,
                before.streams() + streamCount,
                before.executions() + executions,
                Map.of(),
                List.of(),
                names,
                dueAgain.notice());
    }

    /** Returns the whole outcome. */
    public Undone outcome() {
        return returned().plus(new Undone(0, 0, 0, 0, left, named));
    }
}
