package dev.ebb.port.history;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.undo.TrashSum;
import java.util.Collection;
import java.util.List;

/** Tells what can be brought back. Thread-safe. */
public interface TrashCounts {

    /**
     * Deleted events of these partitions that can be brought back, by reason and namespace, the last deleted first. Answers
     * from memory.
     *
     * @throws dev.ebb.port.NotReadyException while one of them restores
     * @throws dev.ebb.port.OtherInstanceException if another instance keeps one of them
     */
    List<TrashSum> waiting(Collection<Integer> partitions);

    /**
     * Deleted events of one stream that can be brought back, by reason, the last deleted first. Reads the trash of its
     * partition.
     *
     * @throws dev.ebb.port.NotReadyException if there are too many of them, or too many others, to be counted in
     *     time
     * @throws dev.ebb.port.UnavailableException if the broker does not answer
     */
    List<TrashSum> waiting(StreamName stream);
}
