package dev.ebb.store.events;

import dev.ebb.domain.event.OwnTtl;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.state.Segment;

/** A stored event, found by its id, and its place. Valid until the store changes. */
public record Found(Segment segment, EventHeader event, Location location) {

    /** Returns the event as it would be with another TTL. */
    public Found withTtl(OwnTtl ttl) {
        return new Found(segment, event.withTtl(ttl), location);
    }
}
