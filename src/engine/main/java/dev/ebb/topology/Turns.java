package dev.ebb.topology;

import dev.ebb.domain.retention.SweepBudget;
import java.util.List;

/**
 * Kinds of work that share a slice. Each kind takes the budget that those before it have left, in the order in which
 * they are named. When one kind uses the budget up, the next slice begins with the kind after it, so that long work of
 * one kind delays the others by a few slices instead of until its end. Not thread-safe.
 */
final class Turns {

    /** Kind of work: does as much as the budget allows, and without budget nothing that costs time. */
    interface Turn {
        void take(long nowMs, SweepBudget budget);
    }

    private final List<Turn> turns;
    private int first;

    Turns(Turn... turns) {
        this.turns = List.of(turns);
    }

    /** Gives all kinds one slice. */
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
