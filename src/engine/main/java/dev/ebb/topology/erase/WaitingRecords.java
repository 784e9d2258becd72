package dev.ebb.topology.erase;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.erase.EraseRest.Waiting;
import dev.ebb.domain.event.StreamName;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.layout.ParkedStream;
import dev.ebb.store.parking.ParkedRecords;
import java.util.List;

/** Counts of the waiting records of streams that an erasure may mean: their contents are not known. */
public final class WaitingRecords {

    private WaitingRecords() {}

    /** Returns the counts of the partition; empty if there are none. */
    public static List<Waiting> of(ParkedRecords parked, int partition, Command.EraseEvents command) {
        EventSieve sieve = new EventSieve(command.where());
        long streams = 0;
        long records = 0;
        for (ParkedStream stream : parked.inOrder()) {
            if (mayBeMeant(stream.key(), command, sieve)) {
                streams++;
                records += stream.records();
            }
        }
        return records == 0 ? List.of() : List.of(new Waiting(partition, streams, records));
    }

    /** Returns true if the key may be meant; records of any stream may have a key that names no stream. */
    private static boolean mayBeMeant(String key, Command.EraseEvents command, EventSieve sieve) {
        return StreamName.problem(key) != null || (command.isAbout(new StreamName(key)) && sieve.takesStream(key));
    }
}
