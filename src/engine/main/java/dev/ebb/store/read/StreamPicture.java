package dev.ebb.store.read;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.retention.Place;
import dev.ebb.store.events.KeepLast;
import dev.ebb.store.forecast.CutSearch;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/** A stream as it was read, and the places of events in it; its executions are read on demand. Not thread-safe. */
final class StreamPicture {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamReader reader;
    private final StreamState root;
    private @Nullable StreamState known;
    private @Nullable KeepLast keepLast;
    private @Nullable EffectivePolicy keepLastPolicy;

    StreamPicture(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamReader reader, StreamState root) {
        this.events = events;
        this.reader = reader;
        this.root = root;
    }

    /** Returns the stream with its executions, each of which has a record of its own. */
    StreamState state() {
        StreamState complete = known;
        if (complete == null) {
            complete = reader.withExecutions(root);
            known = complete;
        }
        return complete;
    }

    /** Returns the place of an event at this position, as far as age, own TTL and guards need it. */
    Place place(@Nullable Segment segment, Position position, EffectivePolicy policy) {
        long rank = segment == null ? Place.NO_EXECUTIONS : state().rank(segment);
        Place place = Place.WITHIN_CAPS.inExecution(rank);
        if (keepLast == null || !policy.equals(keepLastPolicy)) {
            keepLast = keepLast(policy);
            keepLastPolicy = policy;
        }
        return keepLast.place(place, position);
    }

    /**
     * Finds the line of the guard. While the events move into another arrangement, this takes a read of all events that
     * may go.
     */
    private KeepLast keepLast(EffectivePolicy policy) {
        Limit keep = policy.keepLast().value();
        if (keep.isNone() || root.executions() != null || isArranged(policy)) {
            return KeepLast.of(events, state(), policy);
        }
        CutSearch search = new CutSearch(0);
        do {
            reader.visitUnprotected(root, null, value -> {
                EventHeader event = StoredEventCodec.decodeHeader(value);
                if (!event.ttl().noExpiration() || !policy.allowInfiniteTtl().value()) {
                    search.show(Position.of(event, policy), 1);
                }
                return true;
            });
        } while (!search.endPass(search.total() - keep.value()));
        return KeepLast.from(search.cut());
    }

    /**
     * Returns true if the keys are in the order that the policy asks for. The terminal statuses are not part of a
     * policy.
     */
    boolean isArranged(EffectivePolicy policy) {
        return !root.isMoving()
                && Arrangement.of(policy, root.arrangement().statuses()).equals(root.arrangement());
    }
}
