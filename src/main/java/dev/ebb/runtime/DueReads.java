package dev.ebb.runtime;

import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.store.ReadOnlyEventStore;

/** Reads what of a stream comes due by age or own TTL. Thread-safe. */
interface DueReads {

    /**
     * Shows the visitor every event that is not protected and whose last millisecond is not after {@code untilMs}.
     *
     * @param store the partition of the stream
     * @param budget how much may be read; when it is spent, the rest is left out
     */
    void visit(
            ReadOnlyEventStore store,
            StreamUsage stream,
            EffectivePolicy policy,
            long untilMs,
            ReadBudget budget,
            Visitor visitor);

    /** Is shown what comes due. */
    interface Visitor {

        /**
         * One event.
         *
         * @param dueAtMs its last millisecond, epoch milliseconds
         * @param sizeBytes its size
         */
        void due(long dueAtMs, long sizeBytes);
    }
}
