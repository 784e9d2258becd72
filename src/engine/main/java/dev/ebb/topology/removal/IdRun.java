package dev.ebb.topology.removal;

import dev.ebb.store.layout.EventHeader;
import dev.ebb.topology.wire.RecordLimits;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;

/** Events that one audit record names, as many as it may. Not thread-safe. */
public final class IdRun {

    private static final int MAX_IDS = 1000;
    private static final int ID_OVERHEAD_BYTES = 2;

    private final List<String> ids = new ArrayList<>();
    private final int maxIdBytes;
    private int idBytes;
    private long bytes;
    private long oldestMs = Long.MAX_VALUE;
    private long newestMs;

    public IdRun(RecordLimits limits) {
        this.maxIdBytes = limits.auditIdBytes();
    }

    /** Returns true if the record has room for the event as well. */
    public boolean takes(EventHeader event) {
        return ids.size() < MAX_IDS && idBytes + bytesOf(event) <= maxIdBytes;
    }

    /** @param anchorMs the time from which the age of the event counts, epoch milliseconds */
    public void add(EventHeader event, long anchorMs) {
        ids.add(event.id());
        idBytes += bytesOf(event);
        bytes += event.sizeBytes();
        oldestMs = Math.min(oldestMs, anchorMs);
        newestMs = Math.max(newestMs, anchorMs);
    }

    private static int bytesOf(EventHeader event) {
        return Utils.utf8Length(event.id()) + ID_OVERHEAD_BYTES;
    }

    /** Returns the ids in the order in which the events came. */
    public List<String> ids() {
        return ids;
    }

    /** Returns the size of the events, in bytes. */
    public long bytes() {
        return bytes;
    }

    public long oldestMs() {
        return oldestMs;
    }

    public long newestMs() {
        return newestMs;
    }
}
