package dev.ebb.topology.assess;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.events.Removed;
import dev.ebb.store.layout.EventHeader;
import java.util.function.Function;

/**
 * Rules that have applied to a stream until now. An event that they take as well is no loss.
 *
 * @param places finds the place of an event for the guard of the policy
 */
record FormerRules(EffectivePolicy policy, Cover cover, Function<EventHeader, Place> places) {

    /** Returns true if age or own TTL takes the event at that time, whatever the caps take. */
    boolean take(Removed removed, long atMs) {
        return RetentionDecider.isHidden(removed.facts(), places.apply(removed.event()), policy, cover, atMs);
    }

    /** Returns the last millisecond at which the event stays. */
    long lastMs(Removed removed) {
        return take(removed, RetentionDecider.NEVER)
                ? RetentionDecider.removableAtMs(removed.facts(), policy)
                : RetentionDecider.NEVER;
    }
}
