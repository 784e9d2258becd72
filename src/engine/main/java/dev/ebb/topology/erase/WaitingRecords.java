package dev.ebb.topology.erase;

import dev.ebb.domain.erase.EraseRest.Waiting;
import dev.ebb.store.parking.ParkedRecords;
import dev.ebb.store.parking.ParkedStream;
import java.util.List;

/** Counts of the waiting records of streams that an erasure may mean: their contents are not known. */
final class WaitingRecords {

    private WaitingRecords() {}

    /** Returns the counts of the partition; empty if there are none. */
    public static List<Waiting> of(ParkedRecords parked, int partition, EraseTask task) {
        long streams = 0;
        long records = 0;
        for (ParkedStream stream : parked.inOrder()) {
            if (task.mayBeMeant(stream.key())) {
                streams++;
                records += stream.records();
            }
        }
        return records == 0 ? List.of() : List.of(new Waiting(partition, streams, records));
    }
}
