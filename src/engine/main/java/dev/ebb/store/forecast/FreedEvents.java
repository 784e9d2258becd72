package dev.ebb.store.forecast;

import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.arrival.ExecutionUpdates;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StatusesInForce;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Counts the events of a stream that another set of terminal statuses would protect no longer: those with a status of
 * their own that becomes terminal, and those in an execution whose status does. Their age does not matter, since nothing
 * else keeps them for ever. An event that something else protects may count as well. Not thread-safe.
 */
public final class FreedEvents {

    private final EventTable events;
    private final StreamState stream;
    private final StatusesInForce after;
    private @Nullable Bytes cursor;
    private long count;

    public FreedEvents(EventTable events, StreamState stream, TerminalStatuses after) {
        this.events = events;
        this.stream = stream;
        this.after = new StatusesInForce(after);
        this.cursor = EventKeys.start(Range.PINNED, stream.sid());
        for (Segment segment : stream.segments()) {
            if (!segment.execution().isTerminal()
                    && ExecutionUpdates.isTerminal(
                            this.after, segment.number(), segment.execution().status())) {
                count += segment.lockedEvents();
            }
        }
    }

    /** Returns the number of events counted so far. */
    public long count() {
        return count;
    }

    /** Continues the count; returns false if the budget ended the slice. */
    public boolean step(SweepBudget budget) {
        Bytes from = cursor;
        if (from == null || stream.count(Range.PINNED) == 0) {
            return true;
        }
        try (var entries = events.store().range(from, EventKeys.end(Range.PINNED, stream.sid()))) {
            while (entries.hasNext()) {
                if (budget.isSpent()) {
                    cursor = entries.peekNextKey();
                    return false;
                }
                KeyValue<Bytes, byte[]> entry = entries.next();
                String status = StoredEventCodec.decode(stream.stream(), entry.value)
                        .event()
                        .status();
                count += after.isTerminal(status) ? 1 : 0;
                budget.spendStep();
            }
        }
        cursor = null;
        return true;
    }
}
