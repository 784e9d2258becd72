package dev.ebb.domain.event;

/**
 * An event within its execution (M-5): protected while the execution is not terminal, and completed when a declared
 * execution completed. Only for executions above 0; events of the implicit execution need no wrapper.
 *
 * @param event the event
 * @param execution the execution of the event
 */
public record ExecutedEvent(EventFacts event, Execution execution) implements EventFacts {

    @Override
    public boolean isProtected() {
        return event.isProtected() || !execution.isTerminal();
    }

    @Override
    public OwnTtl ttl() {
        return event.ttl();
    }

    @Override
    public long anchorMs(Anchor anchor) {
        Long completedAt = execution.completedAt();
        return anchor == Anchor.COMPLETED && completedAt != null ? completedAt : event.anchorMs(anchor);
    }

    @Override
    public long sizeBytes() {
        return event.sizeBytes();
    }
}
