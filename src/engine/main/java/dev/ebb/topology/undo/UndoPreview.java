package dev.ebb.topology.undo;

import dev.ebb.domain.event.Anchor;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.topology.trash.Preview;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Preview that finds out in one reading whether any event of an undo could be due at once, which is all that must be
 * known before something comes back (T-3). It has enough if no event could be due, whatever is stored; otherwise each
 * event is compared with its stream. Belongs to the reading thread, and then to the thread of the task.
 */
final class UndoPreview implements Preview {

    private final PolicySet policies;
    private final long dueMs;
    private final Set<StreamName> streams = new HashSet<>();
    private @Nullable StreamName last;
    private boolean isHarmless;
    private @Nullable EffectivePolicy policy;
    private boolean isEnough = true;
    private long events;
    private long bytes;

    /**
     * @param policies the policies of the moment at which the undo began
     * @param dueMs the time for which this is judged, see {@link UndoForecast#dueMs}
     */
    UndoPreview(PolicySet policies, long dueMs) {
        this.policies = policies;
        this.dueMs = dueMs;
    }

    @Override
    public void see(StreamName stream, byte[] value) {
        if (!isEnough) {
            return;
        }
        if (!stream.equals(last)) {
            turnTo(stream);
        }
        events++;
        bytes += value.length;
        isEnough = isHarmless || !mayBeDue(value);
    }

    private void turnTo(StreamName stream) {
        EffectivePolicy found = policies.effective(stream);
        streams.add(stream);
        last = stream;
        policy = found;
        isHarmless = policies.isHeld(stream) || !found.isEnforced();
        // By caps and keepLast, the events of a stream decide together which of them are due.
        isEnough = isHarmless || !UndoForecast.isNeeded(found);
    }

    private boolean mayBeDue(byte[] value) {
        EffectivePolicy current = policy;
        if (current == null || UndoForecast.isNeeded(current)) {
            return true;
        }
        EventHeader header;
        try {
            header = StoredEventCodec.decodeHeader(value);
        } catch (RuntimeException e) {
            return true;
        }
        // Under another set of terminal statuses the event may no longer be protected, and the end of its execution may
        // be its anchor.
        boolean isOpen = header.isProtected()
                || (header.execution() > 0 && current.anchor().value() == Anchor.COMPLETED);
        return isOpen
                || RetentionDecider.decide(header, Place.WITHIN_CAPS, current, dueMs)
                        .isRemove();
    }

    @Override
    public boolean isEnough() {
        return isEnough;
    }

    /** Counts the events that were seen, which may be more than those that come back. */
    void count(UndoTally tally) {
        tally.atMost(streams, events, bytes);
    }
}
