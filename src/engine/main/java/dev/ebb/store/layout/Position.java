package dev.ebb.store.layout;

import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.policy.EffectivePolicy;
import java.util.Objects;

/**
 * Place of an event in the order of deletion of its stream (M-14): lowest execution first, then oldest anchor, then
 * order of arrival. Compares like its key bytes.
 *
 * @param execution at least 0
 * @param anchorMs epoch milliseconds, at least 0
 * @param seq place in the order of arrival, at least 0
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

    /** The first position behind this one. */
    public Position next() {
        return new Position(execution, anchorMs, seq + 1);
    }

    /** The place of the event under that policy, which may be another one than the policy by which it is stored. */
    public static Position of(StoredEvent event, EffectivePolicy policy) {
        long anchorMs = policy.anchor()
                .value()
                .of(
                        event.storedAt(),
                        Objects.requireNonNull(event.event().occurredAt()),
                        event.event().completedAt());
        return new Position(event.event().execution(), anchorMs, event.seq());
    }

    /** The place of the event under that policy, which may be another one than the policy by which it is stored. */
    public static Position of(EventHeader event, EffectivePolicy policy) {
        return new Position(event.execution(), event.anchorMs(policy.anchor().value()), event.seq());
    }
}
