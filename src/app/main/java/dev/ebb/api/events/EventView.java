package dev.ebb.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.ReadEvent;
import dev.ebb.serde.text.EventJson;
import java.util.List;

/**
 * An event as it is shown: the stored fields, the time at which it goes by age or own TTL, and whether that time has
 * passed.
 */
public final class EventView {

    private static final List<String> PAYLOADS = List.of("payload", "payloadBase64");

    private EventView() {}

    /**
     * Returns the view. There is no {@code dueAt} if the event is never due.
     *
     * @param withPayload true to show the payload, and not only its size
     */
    public static ObjectNode of(ReadEvent read, boolean withPayload) {
        ObjectNode json = EventJson.write(read.event());
        json.put("payloadBytes", read.event().event().payload().length);
        if (!withPayload) {
            json.remove(PAYLOADS);
        }
        if (read.dueAtMs() != RetentionDecider.NEVER) {
            json.put("dueAt", EventJson.time(read.dueAtMs()));
        }
        return json.put("expired", read.isExpired()).put("fate", read.fate().word());
    }
}
