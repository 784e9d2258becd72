package dev.ebb.topology.source;

import dev.ebb.store.layout.InputRecord;
import org.jspecify.annotations.Nullable;

/** Finds a committed record by its place. Thread-safe. */
@FunctionalInterface
public interface RecordFetch {

    /** Returns the record; null if compaction or a delete has removed it. */
    @Nullable
    InputRecord find(String topic, int partition, long offset);
}
