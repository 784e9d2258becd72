package dev.ebb.port;

import dev.ebb.domain.event.EndsInWaiting;
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

/**
 * Predicts the decision of a sweep about an event (O-15). Thread-safe; throws the exceptions of {@link EventQueries}.
 */
public interface ExplainQueries {

    /**
     * Returns the standing of the event, whether it is due or not; empty if it is not stored.
     *
     * @param policies the policies to apply
     * @param nowMs the moment at which the sweep would begin, epoch milliseconds
     * @throws NotReadyException also if too many events would go before this one for an immediate answer
     */
    Optional<Standing> standing(StreamName stream, EventId id, PolicySet policies, long nowMs);

    /** Returns the reasons why due events of the stream do not go at present; empty if there are none. */
    List<String> sweepProblems(StreamName stream);

    /** Returns the ends of executions that wait for events of the stream, which may hold something or not (O-10). */
    EndsInWaiting endsInWaiting(StreamName stream);

    /**
     * Standing of an event.
     *
     * @param decision the decision of a sweep about the event, caps included
     * @param isHeld true if a hold covers the event
     * @param execution the execution of the event; null for the implicit one
     * @param noticeUntilMs the last millisecond of the last notice of its stream, epoch milliseconds; -1 if there was
     *     none
     */
    record Standing(
            StoredEvent event,
            Decision decision,
            boolean isHeld,
            @Nullable Execution execution,
            long noticeUntilMs) {

        /** Returns the event together with its execution. */
        public EventFacts facts() {
            return execution == null || execution.number() == 0 ? event : new ExecutedEvent(event, execution);
        }
    }
}
