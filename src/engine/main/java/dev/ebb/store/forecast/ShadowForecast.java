package dev.ebb.store.forecast;

import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.state.StreamState;

/**
 * The forecast for a stream whose keys are in the order that the policy needs: runs the code of the sweep itself on a
 * shadow of the stream.
 */
public final class ShadowForecast implements StreamForecast {

    private final StreamSweep sweep;
    private final StreamState shadow;
    private final long nowMs;
    private boolean isDueDone;

    public ShadowForecast(StreamSweep sweep, StreamState shadow, long nowMs) {
        this.sweep = sweep;
        this.shadow = shadow;
        this.nowMs = nowMs;
    }

    @Override
    public boolean step(SweepBudget budget, RemovalListener listener) {
        if (!isDueDone) {
            isDueDone = sweep.removeDue(shadow, nowMs, budget, listener);
            if (!isDueDone) {
                return false;
            }
            shadow.forgetEmptied(nowMs, execution -> listener.executionRemoved(shadow, execution));
        }
        return sweep.removeOverCap(shadow, nowMs, budget, listener);
    }
}
