package dev.ebb.store.read;

import dev.ebb.domain.event.ExecutionUsage;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.events.ListCursor;
import dev.ebb.store.events.ListWalk;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.state.Executions;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StateCodec;
import dev.ebb.store.state.StreamState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** Reads the events and the executions of one stream, each as it is stored at that moment. Stateless. */
final class StreamReader {

    private static final EffectivePolicy ANY_POLICY = PolicySet.empty(
                    new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE))
            .effective(new StreamName("any"));

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final ReadOnlyKeyValueStore<Bytes, byte[]> usage;

    StreamReader(ReadOnlyKeyValueStore<Bytes, byte[]> events, ReadOnlyKeyValueStore<Bytes, byte[]> usage) {
        this.events = events;
        this.usage = usage;
    }

    /** Returns the stream with only the totals of its executions; null if the stream holds nothing. */
    @Nullable
    StreamState stream(StreamName stream) {
        byte[] value = usage.get(UsageKeys.stream(stream));
        return value == null ? null : decode(stream, value);
    }

    /** Returns the stream in the record. */
    static StreamState decode(StreamName stream, byte[] value) {
        return StateCodec.decode(stream, ANY_POLICY, value);
    }

    /**
     * Returns the stream with its executions. The stream's record has only their totals; each execution has a record of
     * its own.
     */
    StreamState withExecutions(StreamState state) {
        if (state.executions() == null) {
            return state;
        }
        Executions executions = new Executions();
        try (var entries =
                usage.range(UsageKeys.execution(state.sid(), 0), UsageKeys.execution(state.sid(), Long.MAX_VALUE))) {
            entries.forEachRemaining(entry -> {
                long number = UsageKeys.numberOfExecution(entry.key);
                executions.put(StateCodec.decode(state, number, entry.value));
            });
        }
        state.setExecutions(executions.size() == 0 ? null : executions);
        return state;
    }

    /** Returns true if the record is still the stream's present one. */
    boolean isRecordOf(StreamName stream, byte[] record) {
        return Arrays.equals(usage.get(UsageKeys.stream(stream)), record);
    }

    /** Returns executions of the stream with numbers lower than {@code below}, highest first, at most {@code limit}. */
    List<ExecutionUsage> executions(StreamState state, long below, int limit, Predicate<ExecutionUsage> filter) {
        List<ExecutionUsage> found = new ArrayList<>();
        if (state.executions() != null && below > 1) {
            try (var entries = usage.reverseRange(
                    UsageKeys.execution(state.sid(), 1), UsageKeys.execution(state.sid(), below - 1))) {
                while (found.size() < limit && entries.hasNext()) {
                    var entry = entries.next();
                    long number = UsageKeys.numberOfExecution(entry.key);
                    add(StateCodec.decode(state, number, entry.value), filter, found);
                }
            }
        }
        if (found.size() < limit && below > 0 && state.root().isKnown()) {
            add(state.root(), filter, found);
        }
        return found;
    }

    private static void add(Segment segment, Predicate<ExecutionUsage> filter, List<ExecutionUsage> found) {
        ExecutionUsage usage = new ExecutionUsage(
                segment.execution(),
                segment.totalEvents(),
                segment.totalBytes(),
                segment.count(Range.PINNED) + segment.lockedEvents(),
                segment.openSinceMs() == 0 ? null : (Long) segment.openSinceMs());
        if (filter.test(usage)) {
            found.add(usage);
        }
    }

    /**
     * Shows the visitor the events of the stream, including due ones, in the order of a list.
     *
     * @param filter selects the ranges to read; all events of these ranges are shown
     * @param cursor the result of an earlier visit; null to begin
     * @return the place to continue from if the visitor ended the visit; null if there is nothing more
     * @throws dev.ebb.domain.BadCursorException if the cursor is not one of this class
     */
    @Nullable
    String visit(StreamState state, StatusFilter filter, @Nullable String cursor, EventVisitor visitor) {
        return walk(
                state,
                cursor,
                range -> filter.mayBeIn(range, state),
                entry -> visitor.event(StoredEventCodec.decode(state.stream(), entry.value)));
    }

    /**
     * Shows the visitor the events that are not protected, including due ones, in the order of their positions.
     *
     * @param cursor the result of an earlier visit; null to begin with the oldest
     * @param visitor receives the events as they are stored
     * @return the place to continue from if the visitor ended the visit; null if there is nothing more
     * @throws dev.ebb.domain.BadCursorException if the cursor is not one of this class
     */
    @Nullable
    String visitUnprotected(StreamState state, @Nullable String cursor, Predicate<byte[]> visitor) {
        return walk(state, cursor, Range::isPositional, entry -> visitor.test(entry.value));
    }

    @Nullable
    String walk(
            StreamState state,
            @Nullable String cursor,
            Predicate<Range> ranges,
            Predicate<KeyValue<Bytes, byte[]>> visitor) {
        ListCursor from = ListCursor.parse(cursor);
        boolean needsHeads = from.isFirst() && ranges.test(Range.ORDERED);
        return new ListWalk(events, needsHeads ? withExecutions(state) : state, from).walk(ranges, visitor);
    }
}
