package dev.ebb.store.events;

import dev.ebb.domain.event.OwnTtl;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.state.Segment;

/**
 * An event that is stored under an id, and its place. Valid until the store changes.
 *
 * @param segment its execution
 * @param event the header of the event
 * @param location the place of the event
 */
public record Found(Segment segment, EventHeader event, Location location) {

    /** The event as it would be with another TTL. */
    public Found withTtl(OwnTtl ttl) {
        return new Found(segment, event.withTtl(ttl), location);
    }
}
