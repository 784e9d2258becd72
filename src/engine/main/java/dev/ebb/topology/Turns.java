package dev.ebb.topology;

import dev.ebb.domain.retention.SweepBudget;
import java.util.List;

/**
 * Kinds of work that share a slice. Each takes what the ones before it have left, in the order in which they are named;
 * but when one of them uses the budget up, the next slice begins behind it, so that long work of one kind delays the
 * others by a few slices and never until it is done. Not thread-safe.
 */
final class Turns {

    /** One kind of work: does what it can within the budget, and nothing that costs without one. */
    interface Turn {
        void take(long nowMs, SweepBudget budget);
    }

    private final List<Turn> turns;
    private int first;

    Turns(Turn... turns) {
        this.turns = List.of(turns);
    }

    /** One slice of all of them. */
    void slice(long nowMs, SweepBudget budget) {
        int begin = first;
        boolean wasSpent = budget.isSpent();
        first = wasSpent ? begin : 0;
        for (int i = 0; i < turns.size(); i++) {
            int turn = (begin + i) % turns.size();
            turns.get(turn).take(nowMs, budget);
            if (!wasSpent && budget.isSpent()) {
                wasSpent = true;
                first = (turn + 1) % turns.size();
            }
        }
    }
}
