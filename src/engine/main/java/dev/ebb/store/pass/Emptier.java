package dev.ebb.store.pass;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Removed;
import dev.ebb.store.events.RemovedExecution;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.state.Extent;
import dev.ebb.store.state.Passage;
import dev.ebb.store.state.Passage.Outcome;
import dev.ebb.store.state.StateCodec;
import dev.ebb.store.state.StreamTable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Removes, in slices, the events and executions that retired streams have left behind (O-10). It touches only keys with
 * their numbers, so never a new stream of the same name. After a crash it begins again with the rest. Not thread-safe.
 */
public final class Emptier {

    private static final int BATCH = 256;

    private final StreamTable streams;
    private final EventTable events;

    /**
     * The pass through the first retired stream, kept so that no slice walks over the tombstones of the previous one.
     */
    private @Nullable Passage passage;

    private int sid;
    private long nextExecution;

    /** The number of the execution of the last event: events of one execution follow one another. */
    private long lastNumber;

    private @Nullable RemovedExecution last;

    public Emptier(StreamTable streams, EventTable events) {
        this.streams = streams;
        this.events = events;
    }

    /**
     * Continues the work; returns true if nothing is left of any retired stream, false if the budget ended the slice.
     */
    public boolean run(SweepBudget budget, RetirementListener listener) {
        for (Retired first = streams.retired().first();
                first != null;
                first = streams.retired().first()) {
            if (!empty(first, budget, listener)) {
                return false;
            }
            if (first.root().isDeclared()) {
                listener.executionRemoved(first, first.root(), first.rootOpenSinceMs());
            }
            events.forgetWaits(first.sid());
            streams.retired().forget(first);
            listener.emptied(first);
        }
        return true;
    }

    private boolean empty(Retired stream, SweepBudget budget, RetirementListener listener) {
        Passage current = passage;
        if (current == null || sid != stream.sid()) {
            current = Passage.oneByOne(Range.OF_EVENTS);
            passage = current;
            sid = stream.sid();
            nextExecution = 0;
            lastNumber = 0;
            last = RemovedExecution.of(stream, stream.root(), stream.rootOpenSinceMs());
        }
        boolean isEmptied = current.slice(events.store(), Extent.ofSid(stream.sid()), budget, (range, key, value) -> {
            remove(stream, key, value, listener);
            budget.spendDelete();
            return Outcome.GONE;
        });
        return isEmptied && emptyExecutions(stream, budget, listener);
    }

    private void remove(Retired stream, Bytes key, byte[] value, RetirementListener listener) {
        EventHeader event = header(value);
        if (event == null) {
            events.log().leave(key);
            listener.removedUnread(stream);
        } else {
            events.log().remove(stream.stream(), key, event.storedAt(), event.id());
            listener.removed(
                    stream,
                    new Removed(
                            stream.stream(),
                            stream.sid(),
                            event,
                            event,
                            execution(stream, event.execution()),
                            stream.cause(),
                            value));
        }
    }

    /** Returns the execution; null if it was never declared, or its record is damaged. */
    private @Nullable RemovedExecution execution(Retired stream, long number) {
        if (number != lastNumber) {
            byte[] value = number == 0 ? null : streams.execution(stream.sid(), number);
            Left left = number == 0
                    ? new Left(stream.root(), stream.rootOpenSinceMs())
                    : value == null ? null : read(value, known -> Left.of(number, known));
            last = left == null ? null : RemovedExecution.of(stream, left.execution(), left.openSinceMs());
            lastNumber = number;
        }
        return last;
    }

    /**
     * Returns as much of the header as can be read; null if not even the id can be. A stream may have been deleted
     * because one of its events is damaged.
     */
    private static @Nullable EventHeader header(byte[] value) {
        EventHeader header = read(value, StoredEventCodec::decodeHeader);
        return header == null ? read(value, StoredEventCodec::salvageHeader) : header;
    }

    private static <T> @Nullable T read(byte[] value, Function<byte[], T> codec) {
        try {
            return codec.apply(value);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
            return null;
        }
    }

    private boolean emptyExecutions(Retired stream, SweepBudget budget, RetirementListener listener) {
        List<Left> executions = nextExecutions(stream);
        while (!executions.isEmpty()) {
            for (Left left : executions) {
                if (budget.isSpent()) {
                    return false;
                }
                long number = left.execution().number();
                streams.removeExecution(stream.sid(), number);
                listener.executionRemoved(stream, left.execution(), left.openSinceMs());
                nextExecution = number + 1;
                budget.spendDelete();
            }
            executions = nextExecutions(stream);
        }
        return true;
    }

    /** Execution that a retired stream has left behind. */
    private record Left(Execution execution, long openSinceMs) {

        static Left of(long number, byte[] value) {
            return new Left(StateCodec.executionOf(number, value), StateCodec.openSinceMs(value));
        }
    }

    private List<Left> nextExecutions(Retired stream) {
        List<Left> executions = new ArrayList<>();
        try (var entries = streams.executionsOf(stream.sid(), nextExecution)) {
            while (executions.size() < BATCH && entries.hasNext()) {
                var entry = entries.next();
                long number = UsageKeys.numberOfExecution(entry.key);
                Left left = read(entry.value, value -> Left.of(number, value));
                executions.add(left == null ? new Left(Execution.undeclared(number), 0) : left);
            }
        }
        return executions;
    }
}
