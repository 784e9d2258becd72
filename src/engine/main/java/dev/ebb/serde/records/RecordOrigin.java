package dev.ebb.serde.records;

import dev.ebb.domain.Unicode;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * The origin of a record, which supplies fields that a record in JSON does not name: its key the stream, and its place
 * the id.
 *
 * @param topic the topic
 * @param partition the partition; negative if the place is unknown
 * @param offset the offset; without meaning if the place is unknown
 * @param key its key; null if it has none
 */
public record RecordOrigin(String topic, int partition, long offset, byte @Nullable [] key) {

    /** Header of a record that was sent on: the place at which its author sent it. */
    public static final String HEADER = "ebb-origin";

    /** Returns an origin that supplies no fields. */
    static RecordOrigin of(String topic) {
        return new RecordOrigin(topic, -1, 0, null);
    }

    /** Returns the place as a name that no other record has: topic, partition and offset with hyphens between them. */
    public String place() {
        return topic + "-" + partition + "-" + offset;
    }

    /** Returns the place at which its author sent the record; null if unknown. */
    @Nullable
    String firstPlace(Headers headers) {
        Header first = headers.lastHeader(HEADER);
        if (first != null && first.value() != null) {
            return new String(first.value(), StandardCharsets.UTF_8);
        }
        return partition < 0 ? null : place();
    }

    /** Returns the key as a text; null if there is no key, or it is not a text. */
    @Nullable
    String keyText() {
        byte[] bytes = key;
        return bytes == null || bytes.length == 0
                ? null
                : Unicode.decode(bytes, 0, bytes.length).orElse(null);
    }
}
