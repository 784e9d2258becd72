package dev.ebb.topology.source;

import dev.ebb.store.layout.InputRecord;
import org.jspecify.annotations.Nullable;

/** Finds a committed record by its place. Thread-safe. */
@FunctionalInterface
public interface RecordFetch {

    /**
     * A record that was found.
     *
     * @param keepsTime false if its topic gives each record the time of the broker ({@code LogAppendTime})
     */
    record Found(InputRecord record, boolean keepsTime) {}

    /** Returns the record; null if compaction or a delete has removed it. */
    @Nullable
    Found find(String topic, int partition, long offset);
}
