package dev.ebb.port;

import java.util.List;

/** Which streams of this instance have records that cannot be taken in yet. Thread-safe. */
public interface ParkedQueries {

    /**
     * Some of those of a partition, in no particular order.
     *
     * @param limit how many at the most
     * @throws NotReadyException if the partition restores or moves
     */
    List<ParkedStreamView> parked(int partition, int limit);
}
