package dev.ebb.source;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides about the events of a sample as a sweep would, as if they were all events of their streams: caps and {@code
 * keepLast} count the sample alone.
 *
 * @param policies the policies and holds in force
 * @param statuses the statuses of finished work
 * @param nowMs the time at which the events would be stored, epoch milliseconds
 */
record SampleJudge(PolicySet policies, TerminalStatuses statuses, long nowMs) {

    /** Returns the event as it would be stored. */
    StoredEvent stored(Event event, long timestampMs, long seq) {
        boolean isProtected = !statuses.isTerminal(event.status());
        Long named = event.completedAt();
        Long completedAt = isProtected ? null : named == null ? (Long) timestampMs : named;
        Long occurredAt = event.occurredAt() == null ? (Long) timestampMs : event.occurredAt();
        Event complete = new Event(
                event.stream(),
                event.id(),
                event.type(),
                event.status(),
                occurredAt,
                completedAt,
                event.ttl(),
                event.execution(),
                event.correlationId(),
                event.metadata(),
                event.contentType(),
                event.payload());
        return new StoredEvent(complete, nowMs, seq, isProtected);
    }

    /** Returns the decision about each event at that time, epoch milliseconds. */
    Map<StoredEvent, Decision> at(long atMs, List<StoredEvent> events) {
        Map<StreamName, List<StoredEvent>> streams = new HashMap<>();
        for (StoredEvent event : events) {
            streams.computeIfAbsent(event.event().stream(), name -> new ArrayList<>())
                    .add(event);
        }
        Map<StoredEvent, Decision> decisions = new HashMap<>();
        streams.forEach((stream, members) -> decide(stream, members, atMs, decisions));
        return decisions;
    }

    /** Ages and own TTLs first, then caps over what they leave, the oldest first. */
    private void decide(StreamName stream, List<StoredEvent> members, long atMs, Map<StoredEvent, Decision> decisions) {
        EffectivePolicy policy = policies.effective(stream);
        Cover cover = policies.isHeld(stream) ? Cover.HOLD : Cover.NONE;
        List<StoredEvent> ordered = new ArrayList<>(members);
        ordered.sort(Comparator.comparingLong(
                        (StoredEvent event) -> event.anchorMs(policy.anchor().value()))
                .thenComparingLong(StoredEvent::seq));
        long newer = ordered.stream().filter(event -> !event.isProtected()).count();
        Map<StoredEvent, Long> newerEligible = new HashMap<>();
        long events = 0;
        long bytes = 0;
        for (StoredEvent event : ordered) {
            newer -= event.isProtected() ? 0 : 1;
            newerEligible.put(event, newer);
            Decision decision = RetentionDecider.decide(event, Place.WITHIN_CAPS.withNewer(newer), policy, cover, atMs);
            decisions.put(event, decision);
            events += decision.isRemove() ? 0 : 1;
            bytes += decision.isRemove() ? 0 : event.sizeBytes();
        }
        long gone = 0;
        long goneBytes = 0;
        for (StoredEvent event : ordered) {
            if (decisions.get(event) instanceof Decision.Keep) {
                Place place =
                        new Place(events, bytes, gone, goneBytes).withNewer(newerEligible.getOrDefault(event, 0L));
                Decision decision = RetentionDecider.decide(event, place, policy, cover, atMs);
                decisions.put(event, decision);
                gone += decision.isRemove() ? 1 : 0;
                goneBytes += decision.isRemove() ? event.sizeBytes() : 0;
            }
        }
    }
}
