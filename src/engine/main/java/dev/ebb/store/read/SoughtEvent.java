package dev.ebb.store.read;

import dev.ebb.domain.retention.Decision;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.RemovalListener;
import dev.ebb.store.events.Removed;
import dev.ebb.store.forecast.StreamForecast;
import dev.ebb.store.state.StreamState;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Waits for one particular event among those that would go. */
final class SoughtEvent implements RemovalListener {

    /** The number of events in a forecast between two checks for the sought one. */
    private static final int SLICE = 1000;

    private final String id;
    private @Nullable Decision decision;

    SoughtEvent(String id) {
        this.id = id;
    }

    /** Returns true if the forecast has reached the event or its own end; false if the patience ran out first. */
    boolean isSettled(StreamForecast forecast, Duration patience) {
        boolean isDone = false;
        long deadline = System.nanoTime() + patience.toNanos();
        while (!isDone && !isFound()) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            isDone = forecast.step(new SweepBudget(SLICE, left, System::nanoTime), this);
        }
        return true;
    }

    boolean isFound() {
        return decision != null;
    }

    @Nullable
    Decision decision() {
        return decision;
    }

    @Override
    public void removed(StreamState stream, Removed removed) {
        if (removed.event().id().equals(id)) {
            decision = new Decision.Remove(removed.cause());
        }
    }
}
