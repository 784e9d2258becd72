package dev.ebb.store.due;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Selects events that age or their own TTL takes within a stretch of time. Not thread-safe.
 *
 * @param fromMs the first millisecond, inclusive, that may be the last one of an event, epoch milliseconds
 * @param untilMs the last such millisecond, inclusive, epoch milliseconds
 */
public record DueFilter(StreamState stream, Places places, EffectivePolicy policy, long fromMs, long untilMs) {

    /** Returns the place of an event among the others of its stream. */
    @FunctionalInterface
    public interface Places {
        Place of(@Nullable Segment segment, Position position, EffectivePolicy policy);
    }

    /** Returns the first due time to look at: events that the notice of their stream keeps go at its end. */
    long firstKeyMs() {
        return fromMs <= stream.noticeUntilMs() ? 0 : fromMs;
    }

    /**
     * Returns the event if it goes in that time; null if it stays, or goes at another time.
     *
     * @param key the position in its key; null if the events do not lie in the order of the policy
     */
    public @Nullable DueEvent of(@Nullable Position key, byte[] value) {
        EventHeader event = StoredEventCodec.decodeHeader(value);
        Segment segment = stream.segment(event.execution());
        EventFacts facts = segment == null ? event : segment.facts(event);
        if (facts.isProtected()) {
            return null;
        }
        long lastMs = Math.max(RetentionDecider.removableAtMs(facts, policy), stream.noticeUntilMs());
        return fromMs <= lastMs && lastMs <= untilMs && goes(facts, segment, event, lastMs)
                ? new DueEvent(stream.stream(), event, lastMs, key == null ? Position.of(event, policy) : key, value)
                : null;
    }

    /** Returns true if only time keeps the event: it is neither one of the last nor kept for ever. */
    private boolean goes(EventFacts facts, @Nullable Segment segment, EventHeader event, long lastMs) {
        Place place = places.of(segment, Position.of(event, policy), policy);
        return RetentionDecider.decide(facts, place, policy, lastMs + 1).isRemove();
    }
}
