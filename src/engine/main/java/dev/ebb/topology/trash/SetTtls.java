package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.store.EventStore;

/**
 * Notes on the namespaces of a partition in which commands have set TTLs: deletes by such a TTL can be undone, so they
 * wait while the trash takes no records (T-5). One note serves all streams of a namespace. Not thread-safe.
 */
public final class SetTtls {

    private static final String NOTE = "set-ttl-in/";
    private static final byte[] SET = {1};

    private final EventStore store;

    public SetTtls(EventStore store) {
        this.store = store;
    }

    /** Notes that a command sets the TTL of an event of the stream. */
    public void note(StreamName stream) {
        if (!isNoted(stream)) {
            store.savePending(NOTE + stream.namespace(), SET);
        }
    }

    /** Returns true if a command may have set the TTL of an event of the stream. */
    boolean isNoted(StreamName stream) {
        return store.pending().containsKey(NOTE + stream.namespace());
    }
}
