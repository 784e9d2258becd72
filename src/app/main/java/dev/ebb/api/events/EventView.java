package dev.ebb.api.events;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.port.ReadEvent;
import dev.ebb.serde.text.EventJson;
import java.util.List;

/** An event as it is shown: what is stored, when it goes by age or its own TTL, and whether that moment has passed. */
public final class EventView {

    private static final List<String> PAYLOADS = List.of("payload", "payloadBase64");

    private EventView() {}

    /**
     * There is no {@code dueAt} if the event never is due, and {@code held} only if a hold keeps it.
     *
     * @param withPayload true if the payload is shown, and not only its size
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
        json.put("expired", read.isExpired());
        return read.isHeld() ? json.put("held", true) : json;
    }
}
