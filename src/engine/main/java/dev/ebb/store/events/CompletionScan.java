package dev.ebb.store.events;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.CompletionSearch;
import dev.ebb.store.state.StreamState;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * A search for the latest completion among the events of execution 0 of a stream, in slices. It receives the events
 * that come and go during and after the search, so its result holds at any later moment. Not thread-safe.
 */
public final class CompletionScan implements CompletionSearch {

    private static final List<Range> RANGES = List.of(Range.ORDERED, Range.TIMED, Range.INFINITE);

    private final StreamState stream;
    private long latestMs = -1;
    private boolean hasLost;
    private int range;
    private @Nullable Bytes next;
    private long left;

    public CompletionScan(StreamState stream) {
        this.stream = stream;
        begin();
    }

    @Override
    public void note(long completedMs, int sign) {
        if (sign < 0) {
            hasLost |= completedMs == latestMs;
            return;
        }
        left++;
        if (completedMs >= latestMs) {
            latestMs = completedMs;
            hasLost = false;
        }
    }

    /** Returns the latest completion of the events examined so far, epoch milliseconds; -1 if none of them has one. */
    public long latestMs() {
        return latestMs;
    }

    /** Returns true if every event was examined: no completion is later than {@link #latestMs}. */
    public boolean isBound() {
        return range == RANGES.size();
    }

    /** Returns true if {@link #latestMs} is the completion of an event that is still stored, and no other is later. */
    boolean isExact() {
        return isBound() && !hasLost;
    }

    /** Continues until the result is exact; returns false if the budget ended the slice. */
    public boolean run(EventTable events, SweepBudget budget) {
        while (!isExact()) {
            if (budget.isSpent()) {
                return false;
            }
            if (isBound()) {
                latestMs = -1;
                hasLost = false;
                range = 0;
                begin();
            } else {
                read(events, RANGES.get(range), budget);
            }
        }
        return true;
    }

    private void begin() {
        next = null;
        left = range == RANGES.size() ? 0 : stream.root().count(RANGES.get(range));
    }

    /**
     * Reads on in a range. An event that comes into the range meanwhile adds one entry to read: some entries may be
     * read in vain, none is missed.
     */
    private void read(EventTable events, Range current, SweepBudget budget) {
        if (left > 0) {
            Bytes from = next == null ? stream.root().startOf(current) : next;
            try (var entries = events.store().range(from, EventKeys.end(current, stream.sid()))) {
                while (left > 0 && !budget.isSpent()) {
                    look(entries.hasNext() ? entries.next() : null);
                    budget.spendStep();
                }
            }
        }
        if (left <= 0) {
            range++;
            begin();
        }
    }

    private void look(@Nullable KeyValue<Bytes, byte[]> entry) {
        if (entry == null || EventKeys.executionOf(entry.key) != 0) {
            left = 0;
            return;
        }
        Long completedAt = StoredEventCodec.decodeHeader(entry.value).completedAt();
        latestMs = Math.max(latestMs, completedAt == null ? -1 : completedAt);
        next = Bytes.wrap(Arrays.copyOf(entry.key.get(), entry.key.get().length + 1));
        left--;
    }
}
