package dev.ebb.port.history;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.TrashSum;
import java.util.Collection;
import java.util.List;

/** Counts deleted events that can be brought back. Thread-safe. */
public interface TrashCounts {

    /**
     * Returns the deleted events of these partitions that can be brought back, by reason and namespace, the last
     * deleted first. Answers from memory.
     *
     * @throws dev.ebb.port.NotReadyException while one of these partitions restores
     * @throws dev.ebb.port.OtherInstanceException if another instance keeps one of these partitions
     */
    List<TrashSum> waiting(Collection<Integer> partitions);

    /**
     * Returns the deleted events of one stream that can be brought back, by reason, the last deleted first. Reads the
     * trash of its partition.
     *
     * @throws dev.ebb.port.NotReadyException if the trash of the partition holds too many events, of this or of other
     *     streams, to be counted in time
     * @throws dev.ebb.port.UnavailableException if the broker does not answer
     */
    List<TrashSum> waiting(StreamName stream);
}
