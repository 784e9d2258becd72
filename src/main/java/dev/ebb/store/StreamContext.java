package dev.ebb.store;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * What a reader has to know of a stream besides an event to say what becomes of that event: its executions and which of
 * its events are the last. A picture of one moment.
 */
public final class StreamContext {

    private final ReadOnlyKeyValueStore<Bytes, byte[]> events;
    private final StreamState stream;
    private @Nullable KeepLast keepLast;
    private @Nullable EffectivePolicy keepLastPolicy;

    StreamContext(ReadOnlyKeyValueStore<Bytes, byte[]> events, StreamState stream) {
        this.events = events;
        this.stream = stream;
    }

    /** The event as the decision sees it, its execution included. */
    public EventFacts facts(StoredEvent event) {
        Segment segment = stream.segment(event.event().execution());
        return segment == null ? event : segment.facts(event);
    }

    /** Its place as far as age, own TTL and guards need it; caps act in sweeps only. */
    public Place place(StoredEvent event, EffectivePolicy policy) {
        Segment segment = stream.segment(event.event().execution());
        long rank = segment == null ? Place.NO_EXECUTIONS : stream.rank(segment);
        Place place = Place.WITHIN_CAPS.inExecution(rank);
        if (keepLast == null || !policy.equals(keepLastPolicy)) {
            keepLast = KeepLast.of(events, stream, policy);
            keepLastPolicy = policy;
        }
        return keepLast.place(place, positionOf(event, policy));
    }

    /** Whether readers do not see the event (M-17). */
    public boolean isHidden(StoredEvent event, EffectivePolicy policy, boolean isHeld, long nowMs) {
        EventFacts facts = facts(event);
        return RetentionDecider.isDue(facts, policy, nowMs)
                && RetentionDecider.isHidden(facts, place(event, policy), policy, isHeld, nowMs);
    }

    /** What is known of its executions, lowest first; empty for a stream without any. */
    public List<Execution> executions() {
        return stream.executions == null && !stream.root.execution.isDeclared()
                ? List.of()
                : stream.segments().stream()
                        .filter(Segment::isKnown)
                        .map(segment -> segment.execution)
                        .toList();
    }

    /** The stream that this one belongs to; null if none was ever named. */
    public @Nullable StreamName parent() {
        return stream.parent;
    }

    /** Whether an execution is not terminal or an event is protected (M-6). */
    public boolean isOpen() {
        return stream.isOpen();
    }

    private static Position positionOf(StoredEvent event, EffectivePolicy policy) {
        long anchorMs = policy.anchor()
                .value()
                .of(
                        event.storedAt(),
                        Objects.requireNonNull(event.event().occurredAt()),
                        event.event().completedAt());
        return new Position(event.event().execution(), anchorMs, event.seq());
    }
}
