package dev.ebb.runtime;

import dev.ebb.api.NotReadyException;
import dev.ebb.store.ReadOnlyEventStore;

/** Finds the stores of a partition. Thread-safe. */
interface PartitionStores {

    /**
     * What readers see of the partition.
     *
     * @throws NotReadyException if the partition restores, moves, or is kept by another instance, which the message names
     */
    ReadOnlyEventStore of(int partition);
}
