package dev.ebb.store.arrival;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.events.EventTable;
import dev.ebb.store.events.Found;
import dev.ebb.store.events.KeepLast;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.StatusesInForce;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Determines how an event or update changes the stored events (M-1, M-2); writes nothing. Not thread-safe. */
public final class Arrivals {

    private final StreamTable streams;
    private final EventTable events;
    private final StatusesInForce statuses;

    public Arrivals(StreamTable streams, EventTable events, StatusesInForce statuses) {
        this.streams = streams;
        this.events = events;
        this.statuses = statuses;
    }

    public Arrival prepare(Event event, long timestampMs, long nowMs, PolicySet policies) {
        StreamState stream = streams.find(event.stream());
        EffectivePolicy policy = policies.effective(event.stream());
        Found former = stream == null ? null : former(stream, event.id().value());
        boolean isUndecided = former != null && isUndecided(former, policies, nowMs);
        Removed displaced = former == null ? null : displaced(former, policies, nowMs);
        Found kept = displaced == null ? former : null;
        StoredEvent stored = stored(event, timestampMs, nowMs, kept, stream);
        return new Arrival(stored, stored.sizeBytes(), nowMs, policy, displaced, stream, former, isUndecided);
    }

    public Optional<Arrival> prepare(EventUpdate update, long timestampMs, long nowMs, PolicySet policies) {
        StreamState stream = streams.find(update.stream());
        Found former = stream == null ? null : former(stream, update.id().value());
        if (stream == null || former == null) {
            return Optional.empty();
        }
        boolean isUndecided = isUndecided(former, policies, nowMs);
        if (!isUndecided && displaced(former, policies, nowMs) != null) {
            return Optional.empty();
        }
        StoredEvent before = StoredEventCodec.decode(
                stream.stream(),
                events.value(stream, former.location(), update.id().value()));
        StoredEvent stored = updated(before, update, timestampMs);
        EffectivePolicy policy = policies.effective(update.stream());
        return Optional.of(new Arrival(stored, stored.sizeBytes(), nowMs, policy, null, stream, former, isUndecided));
    }

    /**
     * Prepares the return of a deleted event with its {@code storedAt} and its place in the order of arrival; if
     * another event has that place, with the next free one. Its id must be free.
     */
    public Arrival prepareReturn(StoredEvent deleted, long nowMs, PolicySet policies) {
        StreamName name = deleted.event().stream();
        StreamState stream = streams.find(name);
        StoredEvent stored = atFreePlace(stream, sortedByStatus(deleted), nowMs);
        return new Arrival(stored, stored.sizeBytes(), nowMs, policies.effective(name), null, stream, null, false);
    }

    private StoredEvent atFreePlace(@Nullable StreamState stream, StoredEvent event, long nowMs) {
        Segment segment = stream == null ? null : stream.segment(event.event().execution());
        if (segment == null || !events.isTaken(segment, EventHeader.of(event, event.sizeBytes()), nowMs)) {
            return event;
        }
        return event.withSeq(segment.stream().nextSeq());
    }

    /** Returns the event as it would be stored now, if the terminal statuses have changed since its deletion (M-3). */
    public StoredEvent sortedByStatus(StoredEvent deleted) {
        Event event = deleted.event();
        boolean isOpen = !statuses.isTerminal(event.status());
        if (isOpen == deleted.isProtected()) {
            return deleted;
        }
        Long completedAt = isOpen ? null : event.occurredAt();
        Event sorted = with(event, event.status(), event.occurredAt(), completedAt, event.ttl(), event.metadata());
        return new StoredEvent(sorted, deleted.storedAt(), deleted.seq(), isOpen);
    }

    public @Nullable Found former(StreamState stream, String id) {
        Location location = events.locationOf(stream, id);
        if (location == null) {
            return null;
        }
        byte[] value = events.store().get(location.key(stream.sid(), id));
        if (value == null) {
            // The event is then written as a new one, and a recount checks the rest of the stream.
            stream.suspect("the id index of " + stream + " names an event that is not there");
            return null;
        }
        EventHeader header = StoredEventCodec.decodeHeader(value);
        Segment segment = Objects.requireNonNull(stream.segment(header.execution()));
        return new Found(segment, header, location);
    }

    /** Returns the event if readers no longer see it under the newest policies (M-17); else null. */
    public @Nullable Removed displaced(Found former, PolicySet policies, long nowMs) {
        Segment segment = former.segment();
        StreamState stream = segment.stream();
        EffectivePolicy policy = policies.effective(stream.stream());
        EventFacts facts = segment.facts(former.event());
        if (!RetentionDecider.isDue(facts, policy, nowMs)) {
            return null;
        }
        Place place = place(former, policy);
        if (!RetentionDecider.isHidden(facts, place, policy, cover(stream, policies, nowMs), nowMs)) {
            return null;
        }
        RemovalCause cause = former.event().ttl().isFinite() ? RemovalCause.TTL : RemovalCause.MAX_AGE;
        byte[] value = events.value(stream, former.location(), former.event().id());
        return Removed.of(segment, former.event(), cause, value);
    }

    /**
     * Returns true if only the move of its stream will decide whether readers see the event. Its time has passed, and
     * either {@code keepLast} may keep it, by an order in which the keys do not lie yet, or another set of
     * terminal statuses may protect it and the event is not reclassified yet (M-3).
     */
    public boolean isUndecided(Found former, PolicySet policies, long nowMs) {
        StreamState stream = former.segment().stream();
        EffectivePolicy policy = policies.effective(stream.stream());
        if (stream.isSortedBy(statuses.current()) && (isWithoutOrder(stream, policy) || isArranged(stream, policy))) {
            return false;
        }
        EventFacts facts = former.segment().facts(former.event());
        return RetentionDecider.isHidden(facts, Place.WITHIN_CAPS, policy, cover(stream, policies, nowMs), nowMs);
    }

    private static Cover cover(StreamState stream, PolicySet policies, long nowMs) {
        return stream.coverIf(policies.isHeld(stream.stream()), nowMs);
    }

    /** Returns true if no event stays because of its place among the others. */
    private static boolean isWithoutOrder(StreamState stream, EffectivePolicy policy) {
        return policy.keepLast().value().isNone() || stream.executions() != null;
    }

    private boolean isArranged(StreamState stream, EffectivePolicy policy) {
        return !stream.isMoving()
                && Arrangement.of(policy, statuses.fingerprint()).equals(stream.arrangement());
    }

    private Place place(Found former, EffectivePolicy policy) {
        StreamState stream = former.segment().stream();
        Place place = Place.WITHIN_CAPS.inExecution(stream.rank(former.segment()));
        return KeepLast.of(events.store(), stream, policy)
                .place(place, former.location().position());
    }

    /** M-1: an upsert keeps the event's storage time, its place, and, if the upsert names none, its completion. */
    private StoredEvent stored(
            Event event, long timestampMs, long nowMs, @Nullable Found kept, @Nullable StreamState stream) {
        boolean isProtected = !statuses.isTerminal(event.status());
        Long completedAt = isProtected ? null : firstOf(event.completedAt(), completedAt(kept), timestampMs);
        Event complete = complete(event, completedAt, timestampMs);
        if (kept != null) {
            EventHeader before = kept.event();
            return new StoredEvent(complete, before.storedAt(), before.seq(), isProtected);
        }
        if (stream == null) {
            long storedAt = Math.max(nowMs, streams.firstFreeStoredAt(event.stream()));
            return new StoredEvent(complete, storedAt, streams.firstSeq(), isProtected);
        }
        return new StoredEvent(complete, Math.max(nowMs, stream.lastStoredAt()), stream.nextSeq(), isProtected);
    }

    private static Event complete(Event event, @Nullable Long completedAt, long timestampMs) {
        Long occurredAt = firstOf(event.occurredAt(), null, timestampMs);
        return with(event, event.status(), occurredAt, completedAt, event.ttl(), event.metadata());
    }

    /**
     * Returns the time at which the event became terminal; null if other statuses protect it now, even before its move
     * (M-3).
     */
    private @Nullable Long completedAt(@Nullable Found former) {
        Long known = former == null ? null : former.event().completedAt();
        if (former == null || known == null || former.segment().stream().isSortedBy(statuses.current())) {
            return known;
        }
        StreamState stream = former.segment().stream();
        byte[] value = events.value(stream, former.location(), former.event().id());
        String status = StoredEventCodec.decode(stream.stream(), value).event().status();
        return statuses.isTerminal(status) ? known : null;
    }

    /** M-2: an update keeps all fields that it does not name. */
    private StoredEvent updated(StoredEvent before, EventUpdate update, long timestampMs) {
        Event event = before.event();
        String status = update.status() == null ? event.status() : update.status();
        boolean isProtected = !statuses.isTerminal(status);
        Long kept = statuses.isTerminal(event.status()) ? event.completedAt() : null;
        Long completedAt = isProtected ? null : firstOf(update.completedAt(), kept, timestampMs);
        OwnTtl ttl = update.ttl() == null ? event.ttl() : update.ttl();
        Map<String, String> metadata = update.metadata() == null ? event.metadata() : update.metadata();
        Event changed = with(event, status, event.occurredAt(), completedAt, ttl, metadata);
        return new StoredEvent(changed, before.storedAt(), before.seq(), isProtected);
    }

    public static Event with(
            Event event,
            @Nullable String status,
            @Nullable Long occurredAt,
            @Nullable Long completedAt,
            OwnTtl ttl,
            Map<String, String> metadata) {
        return new Event(
                event.stream(),
                event.id(),
                event.type(),
                status == null || status.isEmpty() ? null : status,
                occurredAt,
                completedAt,
                ttl,
                event.execution(),
                event.correlationId(),
                metadata,
                event.contentType(),
                event.payload());
    }

    private static Long firstOf(@Nullable Long first, @Nullable Long second, long last) {
        if (first != null) {
            return first;
        }
        return second != null ? second : (Long) last;
    }
}
