package dev.ebb.simulation;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** A record of a topic. */
record Message(
        String topic,
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        Headers headers) {

    String textOfKey() {
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }
}
