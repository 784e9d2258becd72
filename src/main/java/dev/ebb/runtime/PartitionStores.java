package dev.ebb.runtime;

import dev.ebb.api.NotReadyException;
import dev.ebb.api.OtherInstanceException;
import dev.ebb.store.ReadOnlyEventStore;

/** Finds the stores of a partition. Thread-safe. */
interface PartitionStores {

    /**
     * What readers see of the partition.
     *
     * @throws NotReadyException if the partition restores or moves
     * @throws OtherInstanceException if another instance keeps it
     */
    ReadOnlyEventStore of(int partition);
}
