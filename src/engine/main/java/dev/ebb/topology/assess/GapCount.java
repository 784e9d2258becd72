package dev.ebb.topology.assess;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.parts.PartitionParts;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Count of the events of one partition that its next sweep would take now, without those that were due already at an
 * earlier time (T-14). Not thread-safe.
 */
public final class GapCount {

    private final PartitionParts here;
    private final EventStore store;
    private final PolicySet policies;
    private final long sinceMs;
    private final long nowMs;
    private final Iterator<StreamState> rest;
    private @Nullable StreamState counted;
    private @Nullable StreamForecast forecast;
    private Function<EventHeader, Place> places = event -> Place.WITHIN_CAPS;
    private final NamespaceLosses losses = new NamespaceLosses(Long.MAX_VALUE);
    private long lost;
    private long stored;

    /**
     * @param sinceMs the earlier time, epoch milliseconds
     * @param nowMs the time at which the count begins
     */
    public GapCount(PartitionParts here, PolicySet policies, long sinceMs, long nowMs) {
        this.here = here;
        this.store = here.store();
        this.policies = policies;
        this.sinceMs = sinceMs;
        this.nowMs = nowMs;
        this.rest = List.copyOf(store.streams()).iterator();
    }

    /** Returns the policies by which the count decides. */
    public PolicySet policies() {
        return policies;
    }

    /** Continues the count; returns false if the budget ended the slice. */
    public boolean step(SweepBudget budget) {
        while (counted != null || rest.hasNext()) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = counted == null ? rest.next() : counted;
            counted = stream;
            if (here.guard().run(stream, nowMs, () -> count(stream, budget))) {
                losses.add(stream.stream().namespace(), lost);
                lost = 0;
                counted = null;
                forecast = null;
            }
            budget.spendStep();
        }
        return true;
    }

    /**
     * Returns the result.
     *
     * @param further number of further events that the time would take for good
     */
    public BrakeFinding finding(long further) {
        return new BrakeFinding(
                losses.sum() + further,
                false,
                stored + further,
                losses.list(store.namespaceTotals(), namespace -> true));
    }

    private boolean count(StreamState stream, SweepBudget budget) {
        if (forecast == null) {
            forecast = begin(stream);
        }
        return forecast == null || forecast.step(budget, this::count);
    }

    private @Nullable StreamForecast begin(StreamState stream) {
        if (store.stream(stream.stream()) != stream) {
            return null;
        }
        stored += stream.totalEvents();
        EffectivePolicy policy = policies.effective(stream.stream());
        if (!policy.isEnforced() || stream.quarantine() != null) {
            return null;
        }
        places = store.placesForKeepLast(stream, policy);
        return store.forecast(stream, policy, policies.isHeld(stream.stream()), nowMs);
    }

    private void count(StreamState stream, Removed removed) {
        EffectivePolicy policy = policies.effective(stream.stream());
        boolean wasDue = RetentionDecider.isHidden(
                removed.facts(),
                places.apply(removed.event()),
                policy,
                stream.coverIf(policies.isHeld(stream.stream()), sinceMs),
                sinceMs);
        lost += wasDue ? 0 : 1;
    }
}
