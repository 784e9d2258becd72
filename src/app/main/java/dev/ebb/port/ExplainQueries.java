package dev.ebb.port;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Decision;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Knows what a sweep would do with an event (O-15). Thread-safe; throws what {@link EventQueries} throws. */
public interface ExplainQueries {

    /**
     * How the event stands, due or not; empty if it is not stored.
     *
     * @param policies the policies to go by
     * @param nowMs the moment in which the sweep would begin, epoch milliseconds
     * @throws NotReadyException also if so much would go before it that it cannot be said at once
     */
    Optional<Standing> standing(StreamName stream, EventId id, PolicySet policies, long nowMs);

    /** Why what is due in the stream does not go at present; empty if nothing keeps its sweeper from it. */
    List<String> sweepProblems(StreamName stream);

    /**
     * How an event stands.
     *
     * @param decision what a sweep would do with it, caps included
     * @param isHeld whether a hold covers it
     * @param execution the execution it belongs to; null for the implicit one
     */
    record Standing(
            StoredEvent event,
            Decision decision,
            boolean isHeld,
            @Nullable Execution execution) {

        /** The event as its execution makes it. */
        public EventFacts facts() {
            return execution == null || execution.number() == 0 ? event : new ExecutedEvent(event, execution);
        }
    }
}
