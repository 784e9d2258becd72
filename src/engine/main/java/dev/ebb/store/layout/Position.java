package dev.ebb.store.layout;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import java.util.Objects;

/**
 * The place of an event in the order of deletion of its stream (M-14): lowest execution first, then oldest anchor, then
 * order of arrival. Compares like its key bytes.
 *
 * @param execution the number of the execution, at least 0
 * @param anchorMs the anchor, epoch milliseconds, at least 0
 * @param seq the place in the order of arrival, at least 0
 */
public record Position(long execution, long anchorMs, long seq) implements Comparable<Position> {

    @Override
    public int compareTo(Position other) {
        int byExecution = Long.compare(execution, other.execution);
        if (byExecution != 0) {
            return byExecution;
        }
        int byAnchor = Long.compare(anchorMs, other.anchorMs);
        return byAnchor != 0 ? byAnchor : Long.compare(seq, other.seq);
    }

    /** Returns the first position after this one. */
    public Position next() {
        return new Position(execution, anchorMs, seq + 1);
    }

    /** Returns the place of the event under the policy, which may differ from the policy under which it is stored. */
    public static Position of(StoredEvent event, EffectivePolicy policy) {
        long anchorMs = policy.anchor()
                .value()
                .of(
                        event.storedAt(),
                        Objects.requireNonNull(event.event().occurredAt()),
                        event.event().completedAt());
        return new Position(event.event().execution(), anchorMs, event.seq());
    }

    /** Returns the place of the event under the policy, which may differ from the policy under which it is stored. */
    public static Position of(EventHeader event, EffectivePolicy policy) {
        return new Position(event.execution(), event.anchorMs(policy.anchor().value()), event.seq());
    }
}
