package dev.ebb.store.read;

import dev.ebb.domain.event.StoredEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the events of a stream.
 *
 * @param events the events that may go, in the order in which they may go, then the protected ones by id
 * @param nextCursor the place where the next page begins; null if this is the last page
 */
public record EventPage(List<StoredEvent> events, @Nullable String nextCursor) {

    public EventPage {
        events = List.copyOf(events);
    }
}
