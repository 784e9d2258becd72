package dev.ebb.store;

import dev.ebb.domain.retention.SweepBudget;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * Takes away, in slices, what retired streams have left behind (O-10). It goes by the keys of their numbers alone, so that
 * whoever uses the name again is never touched, and begins anew after a crash with what is still there. Not thread-safe.
 */
final class Emptier {

    private static final int BATCH = 256;

    private final StreamTable streams;
    private final EventTable events;

    /** How far the first of the retired streams was read, so that no slice walks over the tombstones of the one before. */
    private @Nullable Bytes cursor;

    private int cursorSid;
    private long nextExecution;

    /** The ranges of which nothing is left. */
    private final Set<Range> emptied = EnumSet.noneOf(Range.class);

    Emptier(StreamTable streams, EventTable events) {
        this.streams = streams;
        this.events = events;
    }

    /** Returns whether nothing is left of any of them; false if the budget ended it. */
    boolean run(SweepBudget budget, RetirementListener listener) {
        while (!streams.retired().isEmpty()) {
            Retired first = streams.retired().iterator().next();
            if (!empty(first, budget, listener)) {
                return false;
            }
            if (first.hasDeclaredRoot()) {
                listener.executionRemoved(first, 0);
            }
            events.forgetWaits(first.sid());
            streams.forgetRetired(first);
            listener.emptied(first);
        }
        return true;
    }

    private boolean empty(Retired stream, SweepBudget budget, RetirementListener listener) {
        if (cursorSid != stream.sid()) {
            cursorSid = stream.sid();
            cursor = null;
            nextExecution = 0;
            emptied.clear();
        }
        for (Range range : Range.OF_EVENTS) {
            if (!empty(stream, range, budget, listener)) {
                return false;
            }
        }
        return emptyExecutions(stream, budget, listener);
    }

    private boolean empty(Retired stream, Range range, SweepBudget budget, RetirementListener listener) {
        while (!emptied.contains(range)) {
            if (budget.isSpent()) {
                return false;
            }
            for (KeyValue<Bytes, byte[]> entry : read(stream, range, budget)) {
                remove(stream, entry, listener);
                budget.spendDelete();
            }
        }
        return true;
    }

    private void remove(Retired stream, KeyValue<Bytes, byte[]> entry, RetirementListener listener) {
        EventHeader event = StoredEventCodec.decodeHeader(entry.value);
        events.store().put(entry.key, null);
        listener.removed(stream, new Removed(stream.stream(), event, event, stream.cause(), entry.value));
    }

    private boolean emptyExecutions(Retired stream, SweepBudget budget, RetirementListener listener) {
        List<Long> numbers = nextExecutions(stream);
        while (!numbers.isEmpty()) {
            for (long number : numbers) {
                if (budget.isSpent()) {
                    return false;
                }
                streams.removeExecution(stream.sid(), number);
                listener.executionRemoved(stream, number);
                nextExecution = number + 1;
                budget.spendDelete();
            }
            numbers = nextExecutions(stream);
        }
        return true;
    }

    private List<Long> nextExecutions(Retired stream) {
        List<Long> numbers = new ArrayList<>();
        try (var entries = streams.executionsOf(stream.sid(), nextExecution)) {
            while (numbers.size() < BATCH && entries.hasNext()) {
                numbers.add(UsageKeys.numberOfExecution(entries.next().key));
            }
        }
        return numbers;
    }

    /** The next entries of the range; notes if there are no more. */
    private List<KeyValue<Bytes, byte[]>> read(Retired stream, Range range, SweepBudget budget) {
        int most = Math.min(BATCH, budget.deletesLeft());
        Bytes start = EventKeys.start(range, stream.sid());
        Bytes from = cursor != null && cursor.get()[0] == range.code() ? cursor : start;
        List<KeyValue<Bytes, byte[]>> batch = new ArrayList<>();
        try (var entries = events.store().range(from, EventKeys.end(range, stream.sid()))) {
            while (batch.size() < most && entries.hasNext()) {
                batch.add(entries.next());
            }
        }
        cursor = batch.isEmpty() ? null : batch.get(batch.size() - 1).key;
        if (batch.size() < most) {
            emptied.add(range);
        }
        return batch;
    }
}
