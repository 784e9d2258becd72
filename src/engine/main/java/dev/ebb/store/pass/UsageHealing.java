package dev.ebb.store.pass;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.state.Executions;
import dev.ebb.store.state.NamespaceCounts;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Mends the usage of streams that disagrees with their events, stream by stream and in slices (I-3). Retention deletes
 * nothing from a stream until its usage is mended. Not thread-safe.
 */
public final class UsageHealing {

    private final StreamTable streams;
    private final EventTable events;
    private final NamespaceCounts namespaces;
    private final Consumer<StreamState> settle;
    private @Nullable Recount recount;

    /** @param settle forgets a stream that turns out to hold nothing */
    public UsageHealing(
            StreamTable streams, EventTable events, NamespaceCounts namespaces, Consumer<StreamState> settle) {
        this.settle = settle;
        this.streams = streams;
        this.events = events;
        this.namespaces = namespaces;
    }

    /**
     * Continues with the suspects that do not wait for a move, in turn; returns true if none of these is left, false if
     * the budget ended the slice.
     */
    public boolean slice(SweepBudget budget, HealingListener listener) {
        for (StreamState suspect : List.copyOf(streams.suspects())) {
            if (streams.ofSid(suspect.sid()) != suspect) {
                streams.suspects().remove(suspect);
            } else if (!suspect.isMoving()) {
                if (!listener.run(suspect, () -> heal(suspect, budget, listener))) {
                    return false;
                }
                giveUp(suspect);
            }
        }
        return true;
    }

    /**
     * Drops the suspicion after a failed recount, which would fail again. After a completed recount there is nothing to
     * drop.
     */
    private void giveUp(StreamState suspect) {
        if (streams.suspects().remove(suspect)) {
            leave();
            suspect.trust();
        }
    }

    private boolean heal(StreamState suspect, SweepBudget budget, HealingListener listener) {
        if (budget.isSpent()) {
            return false;
        }
        Recount current = recount;
        if (current == null || current.stream() != suspect) {
            leave();
            current = new Recount(suspect);
            suspect.attach(current);
            recount = current;
        }
        if (!current.slice(events.store(), budget)) {
            return false;
        }
        leave();
        listener.healed(suspect, Objects.requireNonNull(suspect.suspicion()), mend(suspect, current));
        return true;
    }

    private void leave() {
        if (recount != null) {
            recount.stream().detach(recount);
            recount = null;
        }
    }

    private List<String> mend(StreamState stream, Recount found) {
        List<String> differences = new ArrayList<>();
        found.executions().forEach(number -> streams.segment(stream, number));
        for (Segment segment : stream.segments()) {
            String difference = mend(stream, segment, found);
            if (difference != null) {
                differences.add(difference);
            }
        }
        if (found.mendedIds() > 0) {
            differences.add(found.mendedIds() + " events were not found under their ids");
        }
        stream.completion().doubt();
        stream.trust();
        streams.suspects().remove(stream);
        stream.rearranged();
        settle.accept(stream);
        return differences;
    }

    private @Nullable String mend(StreamState stream, Segment segment, Recount found) {
        Executions others = segment == stream.root() ? null : stream.executions();
        namespaces.add(segment, -1);
        if (others != null) {
            others.include(segment, -1);
        }
        String difference = found.mend(segment);
        if (others != null) {
            others.include(segment, 1);
        }
        namespaces.add(segment, 1);
        stream.change(segment);
        return difference;
    }
}
