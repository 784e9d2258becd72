package dev.ebb.runtime;

import dev.ebb.api.NotReadyException;
import dev.ebb.api.OtherInstanceException;
import dev.ebb.store.ReadOnlyEventStore;
import java.time.Duration;
import java.util.function.Function;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** Finds the stores of a partition. Thread-safe. */
interface PartitionStores {

    /**
     * What readers see of the partition. Kafka looks for it only when it is read, and then throws an {@link
     * InvalidStateStoreException} if it is not here.
     */
    ReadOnlyEventStore of(int partition);

    /** Why a partition cannot be read here: a {@link NotReadyException} or an {@link OtherInstanceException}. */
    default RuntimeException missing(int partition) {
        return new NotReadyException("partition " + partition + " is moving", Duration.ofSeconds(1));
    }

    /**
     * Asks the stores of the partition. They may be closed under the reader when it moves.
     *
     * @throws NotReadyException if the partition restores or moves
     * @throws OtherInstanceException if another instance keeps it
     */
    default <T> T read(int partition, Function<ReadOnlyEventStore, T> question) {
        try {
            return question.apply(of(partition));
        } catch (InvalidStateStoreException e) {
            throw missing(partition);
        }
    }
}
