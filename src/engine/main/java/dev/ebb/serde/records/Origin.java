package dev.ebb.serde.records;

import dev.ebb.domain.Unicode;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Where a record comes from, which stands for what a record in JSON does not name: the key for its stream, and the place for
 * its id.
 *
 * @param topic the topic
 * @param partition the partition; negative if the place is not known
 * @param offset the offset; of no meaning if the place is not known
 * @param key its key; null if it has none
 */
public record Origin(String topic, int partition, long offset, byte @Nullable [] key) {

    /** Header of a record that was sent on: the place at which its author sent it. */
    public static final String HEADER = "ebb-origin";

    /** A record of which nothing stands for what it does not name. */
    static Origin of(String topic) {
        return new Origin(topic, -1, 0, null);
    }

    /** The place as a name that no other record has: topic, partition and offset with hyphens between them. */
    public String place() {
        return topic + "-" + partition + "-" + offset;
    }

    /** The place at which its author sent the record; null if it is not known. */
    @Nullable
    String firstPlace(Headers headers) {
        Header first = headers.lastHeader(HEADER);
        if (first != null && first.value() != null) {
            return new String(first.value(), StandardCharsets.UTF_8);
        }
        return partition < 0 ? null : place();
    }

    /** The key as a text; null if it is none. */
    @Nullable
    String keyText() {
        byte[] bytes = key;
        return bytes == null || bytes.length == 0
                ? null
                : Unicode.decode(bytes, 0, bytes.length).orElse(null);
    }
}
