package dev.ebb.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.serde.EventJson;

/** An event as it is shown: what is stored, when it goes by age or its own TTL, and whether that moment has passed. */
final class EventView {

    private EventView() {}

    /** There is no {@code dueAt} if the event never is due. */
    static ObjectNode of(ReadEvent read) {
        ObjectNode json = EventJson.write(read.event());
        if (read.dueAtMs() != RetentionDecider.NEVER) {
            json.put("dueAt", EventJson.time(read.dueAtMs()));
        }
        return json.put("expired", read.isExpired());
    }
}
