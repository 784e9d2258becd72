package dev.ebb.topology.assess;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamRound;
import dev.ebb.topology.parts.PartitionParts;
import org.jspecify.annotations.Nullable;

/**
 * Count of the events of one partition that its next sweep would take now, without those that were due already at an
 * earlier time (T-14). Not thread-safe.
 */
public final class GapCount {

    private final EventStore store;
    private final PolicySet policies;
    private final long sinceMs;
    private final long nowMs;
    private final StreamRound round;
    private final NamespaceLosses losses = new NamespaceLosses(Long.MAX_VALUE);
    private long stored;

    /**
     * @param sinceMs the earlier time, epoch milliseconds
     * @param nowMs the time at which the count begins
     */
    public GapCount(PartitionParts here, PolicySet policies, long sinceMs, long nowMs) {
        this.store = here.store();
        this.policies = policies;
        this.sinceMs = sinceMs;
        this.nowMs = nowMs;
        this.round = new StreamRound(here.guard(), store, store.glances(), this::isMeant, this::begin);
    }

    /** Returns the policies by which the count decides. */
    public PolicySet policies() {
        return policies;
    }

    /** Continues the count; returns false if the budget ended the slice. */
    public boolean step(SweepBudget budget) {
        return round.step(nowMs, budget);
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

    private StreamRound.@Nullable Look begin(StreamState stream) {
        EffectivePolicy policy = policies.effective(stream.stream());
        return stream.isGone() || !policy.isEnforced()
                ? null
                : new SureCount(stream, () -> new Gap(stream, policy), events -> loseAll(stream, events));
    }

    private boolean isMeant(StreamState stream) {
        stored += stream.totalEvents();
        return policies.effective(stream.stream()).isEnforced();
    }

    private void loseAll(StreamState stream, long events) {
        if (!policies.isHeld(stream.stream())) {
            losses.add(stream.stream().namespace(), events);
        }
    }

    /** Count of one stream. */
    private final class Gap implements StreamRound.Look {

        private final StreamState stream;
        private final FormerRules former;
        private final StreamForecast forecast;
        private long lost;

        Gap(StreamState stream, EffectivePolicy policy) {
            boolean isHeld = policies.isHeld(stream.stream());
            this.stream = stream;
            this.former =
                    new FormerRules(policy, stream.coverIf(isHeld, sinceMs), store.placesForKeepLast(stream, policy));
            this.forecast = store.forecast(stream, policy, isHeld, nowMs);
        }

        @Override
        public boolean step(SweepBudget budget) {
            return forecast.step(budget, (shadow, removed) -> lost += former.take(removed, sinceMs) ? 0 : 1);
        }

        @Override
        public void end() {
            losses.add(stream.stream().namespace(), lost);
        }
    }
}
