package dev.ebb.store.events;

import dev.ebb.domain.event.OwnTtl;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.state.Segment;

/**
 * An event that is stored under an id, and where it lies. Good until the store changes.
 *
 * @param segment its execution
 * @param event what is known of it
 * @param location where it lies
 */
public record Found(Segment segment, EventHeader event, Location location) {

    /** The event as it would be with another TTL, to ask how that would stand. */
    public Found withTtl(OwnTtl ttl) {
        return new Found(segment, event.withTtl(ttl), location);
    }
}
