package dev.ebb.domain.retention;

import dev.ebb.domain.event.StreamName;
import java.util.List;

/**
 * Says for the audit that somebody had rows of the SQL mirror sent again. No event was changed by it.
 *
 * @param auditId identifies the record; unique over all partitions
 * @param origin the command
 * @param stream whose rows they are
 * @param eventIds the ids in the keys of the rows, whether sent or removed; at most 1000
 * @param atMs when, epoch milliseconds
 */
public record MirrorRepair(String auditId, Origin origin, StreamName stream, List<String> eventIds, long atMs) {

    public MirrorRepair {
        eventIds = List.copyOf(eventIds);
    }
}
