package dev.ebb.api.verify;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.NotReadyException;
import java.util.List;
import java.util.function.Consumer;

/** Sends rows of the mirror again. */
interface Repairs {

    /**
     * Sends the rows again, waits until that is done, and returns the numbers of rows sent and removed.
     *
     * @param waitsFor told, for people, why the repair has to wait; empty if nothing is to be said
     * @throws NotReadyException if it has waited for too long
     */
    Repaired repair(String stream, List<RowKey> rows, List<Long> executions, Consumer<String> waitsFor);

    /** Result of a repair. */
    record Repaired(long sent, long removed) {

        static final Repaired NOTHING = new Repaired(0, 0);

        Repaired plus(Repaired other) {
            return new Repaired(sent + other.sent, removed + other.removed);
        }
    }
}
