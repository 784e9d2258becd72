package dev.ebb.store;

import dev.ebb.domain.event.StreamName;
import java.util.HashMap;
import java.util.Map;

/** Adds up the stale work of a partition: pinned events one by one, and all that executions protect that are open too long. */
final class StaleCount {

    private final StreamTable streams;
    private final StaleWork pinned;

    StaleCount(StreamTable streams, StaleWork pinned) {
        this.streams = streams;
        this.pinned = pinned;
    }

    Map<StreamName, Long> byStream(long beforeMs) {
        Map<StreamName, Long> stale = new HashMap<>();
        pinned.bySid().forEach((sid, events) -> {
            StreamState stream = streams.ofSid(sid);
            if (stream != null) {
                stale.merge(stream.stream(), events, Long::sum);
            }
        });
        for (StreamState stream : streams.working()) {
            for (Segment segment : stream.segments()) {
                boolean isStale = segment.openSinceMs > 0 && segment.openSinceMs < beforeMs;
                if (isStale && segment.lockedEvents() > 0) {
                    stale.merge(stream.stream(), segment.lockedEvents(), Long::sum);
                }
            }
        }
        return stale;
    }
}
