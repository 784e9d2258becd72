package dev.ebb.port;

import java.util.List;

/** Finds streams of this instance with records that cannot be taken in yet. Thread-safe. */
public interface ParkedQueries {

    /**
     * Returns some of these streams of a partition, in no particular order.
     *
     * @param limit the maximum number of streams to return
     * @throws NotReadyException if the partition restores or moves
     */
    List<ParkedStreamView> parked(int partition, int limit);
}
