package dev.ebb.domain.retention;

import dev.ebb.domain.event.StreamName;
import java.util.List;

/**
 * Says for the audit that rows of the SQL mirror were sent again by a command. No event was changed.
 *
 * @param auditId identifies the record; unique over all partitions
 * @param origin the command
 * @param stream the stream of the rows
 * @param eventIds the ids in the keys of the rows, whether sent or removed; at most 1000
 * @param atMs time of the repair, epoch milliseconds
 */
public record MirrorRepair(String auditId, Origin origin, StreamName stream, List<String> eventIds, long atMs) {

    public MirrorRepair {
        eventIds = List.copyOf(eventIds);
    }
}
