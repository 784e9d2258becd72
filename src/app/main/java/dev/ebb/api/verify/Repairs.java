package dev.ebb.api.verify;

import dev.ebb.domain.command.RowKey;
import java.util.List;

/** Has rows of the mirror sent again. */
interface Repairs {

    /** Waits until it is done, and tells how many rows were sent and removed. */
    Repaired repair(String stream, List<RowKey> rows, List<Long> executions);

    /** Result of a repair. */
    record Repaired(long sent, long removed) {

        static final Repaired NOTHING = new Repaired(0, 0);

        Repaired plus(Repaired other) {
            return new Repaired(sent + other.sent, removed + other.removed);
        }
    }
}
