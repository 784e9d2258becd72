package dev.ebb.topology.assess;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.FreedEvents;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.fault.StreamRound;
import org.jspecify.annotations.Nullable;

/**
 * Events that one stream loses by a change: at each moment of the horizon those that are gone under the new policies
 * and not under the former ones. The largest of these numbers counts. Two forecasts supply the events: one for the
 * present, since caps take most at once, and one for the end of the horizon. Not thread-safe.
 */
final class StreamLoss implements StreamRound.Look {

    private final EventStore store;
    private final StreamState stream;
    private final FormerRules before;
    private final EffectivePolicy after;
    private final boolean isHeld;
    private final Horizon horizon;
    private final NamespaceLosses losses;
    private final long limit;
    private final long[] lost = new long[Horizon.STEPS + 1];
    private long most;

    /** Count of the events that a change of the terminal statuses frees; null if it frees none, or all are counted. */
    private @Nullable FreedEvents freed;

    private long freedEvents;
    private @Nullable StreamForecast present;
    private @Nullable StreamForecast future;

    /**
     * @param losses takes the largest number of events at the end; has room for some
     * @param freed count of the events that the change frees of their protection; null if it frees none
     */
    StreamLoss(
            EventStore store,
            StreamState stream,
            FormerRules before,
            PolicySet after,
            Horizon horizon,
            NamespaceLosses losses,
            @Nullable FreedEvents freed) {
        this.store = store;
        this.stream = stream;
        this.before = before;
        this.after = after.effective(stream.stream());
        this.isHeld = after.isHeld(stream.stream());
        this.horizon = horizon;
        this.losses = losses;
        this.limit = losses.left();
        this.freed = freed;
        this.present = forecast(horizon.nowMs());
    }

    private StreamForecast forecast(long atMs) {
        return store.forecastWithoutNotice(stream, after, isHeld, atMs);
    }

    /** Continues the count; returns true if all is counted, or as many as the limit. */
    @Override
    public boolean step(SweepBudget budget) {
        if (!countFreed(budget)) {
            return false;
        }
        if (present != null) {
            if (!isFull() && !present.step(budget, (shadow, removed) -> lostNow(removed))) {
                return false;
            }
            present = null;
        }
        if (isFull() || horizon.lengthMs() == 0) {
            return true;
        }
        if (future == null) {
            future = forecast(horizon.endMs());
        }
        return future.step(budget, (shadow, removed) -> lostUntilTheEnd(removed)) || isFull();
    }

    /** Counts the events that lose their protection. No forecast finds them: the store still protects them. */
    private boolean countFreed(SweepBudget budget) {
        FreedEvents counting = freed;
        if (counting != null && !counting.step(budget)) {
            return false;
        }
        if (counting != null) {
            freedEvents = counting.count();
            freed = null;
        }
        return true;
    }

    private boolean isFull() {
        return freedEvents + most >= limit;
    }

    @Override
    public void end() {
        losses.add(stream.stream().namespace(), Math.min(limit, freedEvents + most));
    }

    private void lostNow(Removed removed) {
        if (!before.take(removed, horizon.nowMs())) {
            lostAt(0);
        }
    }

    private void lostUntilTheEnd(Removed removed) {
        long newMs = removed.cause().isCap()
                ? RetentionDecider.lastGuardedMs(
                        removed.facts().anchorMs(after.anchor().value()), after)
                : RetentionDecider.removableAtMs(removed.facts(), after);
        long formerMs = before.lastMs(removed);
        for (int step = 1; step <= Horizon.STEPS; step++) {
            long atMs = horizon.atMs(step);
            if (RetentionDecider.isPast(newMs, atMs) && !RetentionDecider.isPast(formerMs, atMs)) {
                lostAt(step);
            }
        }
    }

    private void lostAt(int step) {
        if (!isFull()) {
            lost[step]++;
            most = Math.max(most, lost[step]);
        }
    }
}
