package dev.ebb.topology.crowd;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Places for readers of topics: each has a consumer and a thread of its own, so few commands of a partition may read at
 * the same time, however many there are. Not thread-safe.
 */
public final class ReaderPlaces {

    /** Commands of one partition that read the trash, the archive or the rejected records at the same time. */
    public static final int OF_A_PARTITION = 4;

    private final Set<Object> readers = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Returns true if the reader has a place from now on, or had one before; false if none is free. */
    public boolean take(Object reader) {
        return readers.contains(reader) || (readers.size() < OF_A_PARTITION && readers.add(reader));
    }

    /** Gives the place of the reader back; does nothing if the reader has none. */
    public void giveBack(Object reader) {
        readers.remove(reader);
    }
}
