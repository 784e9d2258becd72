package dev.ebb.api.verify;

import dev.ebb.domain.command.RowKey;
import java.util.List;

/** Sends rows of the mirror again. */
interface Repairs {

    /** Sends the rows again, waits until that is done, and returns the numbers of rows sent and removed. */
    Repaired repair(String stream, List<RowKey> rows, List<Long> executions);

    /** Result of a repair. */
    record Repaired(long sent, long removed) {

        static final Repaired NOTHING = new Repaired(0, 0);

        Repaired plus(Repaired other) {
            return new Repaired(sent + other.sent, removed + other.removed);
        }
    }
}
