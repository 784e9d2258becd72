package dev.ebb.runtime.streams;

import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.store.read.ReadOnlyEventStore;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** Finds the stores of a partition. Thread-safe. */
public interface PartitionStores {

    /**
     * Returns the store of the partition as readers see it. Kafka looks for the store only when it is read, and then
     * throws an {@link InvalidStateStoreException} if it is not here.
     */
    ReadOnlyEventStore of(int partition);

    /**
     * Returns the reason why a partition cannot be read here: a {@link NotReadyException} or an
     * {@code OtherInstanceException}.
     */
    default RuntimeException missing(int partition) {
        return NotReadyException.moving("partition " + partition + " is moving", Duration.ofSeconds(1), List.of());
    }

    /**
     * Shows the stores of the partition to a reader.
     *
     * @return false if the partition is on its way to or from this instance, and can be read only later or elsewhere
     */
    default boolean show(int partition, Consumer<ReadOnlyEventStore> reader) {
        try {
            reader.accept(of(partition));
            return true;
        } catch (NotReadyException | OtherInstanceException | InvalidStateStoreException e) {
            return false;
        }
    }

    /**
     * Queries the stores of the partition, which may close under the reader when the partition moves.
     *
     * @throws NotReadyException if the partition restores or moves
     * @throws OtherInstanceException if another instance keeps the partition
     */
    default <T> T read(int partition, Function<ReadOnlyEventStore, T> question) {
        try {
            return question.apply(of(partition));
        } catch (InvalidStateStoreException e) {
            throw missing(partition);
        }
    }
}
