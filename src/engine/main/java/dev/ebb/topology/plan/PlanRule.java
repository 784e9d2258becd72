package dev.ebb.topology.plan;

import dev.ebb.domain.plan.LeftOut;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.store.events.Found;
import dev.ebb.store.plan.PlannedItem;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Rule of a command that decides whether a planned event goes or stays when the plan is carried out. It is asked only
 * about events that the plan names, so it can make a plan delete less, never more.
 */
public interface PlanRule {

    /**
     * Fate of an event.
     *
     * @param cause the cause of its removal; null if it stays
     * @param left the reason why it stays; null if it goes
     */
    record Fate(@Nullable RemovalCause cause, @Nullable LeftOut left) {

        static Fate goes(RemovalCause cause) {
            return new Fate(cause, null);
        }

        static Fate stays(LeftOut reason) {
            return new Fate(null, reason);
        }
    }

    /** Returns the reason why nothing may go from the stream now; null if there is none. */
    @Nullable
    LeftOut keepsAll(StreamState stream);

    /** Returns the fate of an event of the stream, which is stored as the plan names it. */
    Fate of(StreamState stream, Found found, PlannedItem planned);
}
