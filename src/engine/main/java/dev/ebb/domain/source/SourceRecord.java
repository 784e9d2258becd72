package dev.ebb.domain.source;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record of a source as it stands on its topic. The arrays are not copied: no caller may write into them.
 *
 * @param topic the topic
 * @param partition the partition
 * @param offset the offset
 * @param timestampMs the Kafka timestamp, epoch milliseconds; negative for none
 * @param key the key; null for none
 * @param value the value; null for a tombstone
 * @param headers the headers, in their order
 */
public record SourceRecord(
        String topic,
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<Header> headers) {

    /**
     * A header.
     *
     * @param name its name
     * @param value its value; null for none
     */
    public record Header(String name, byte @Nullable [] value) {}

    public SourceRecord {
        headers = List.copyOf(headers);
    }

    /** Returns the value of the last header with this name; null if there is none, or if it has no value. */
    public byte @Nullable [] header(String name) {
        for (int i = headers.size() - 1; i >= 0; i--) {
            if (headers.get(i).name().equals(name)) {
                return headers.get(i).value();
            }
        }
        return null;
    }

    /** Returns the Kafka timestamp; null for none. */
    @Nullable
    Instant time() {
        return timestampMs < 0 ? null : Instant.ofEpochMilli(timestampMs);
    }

    /** Returns the place of the record, such as {@code shop.orders-3@1204}. */
    public String at() {
        return topic + "-" + partition + "@" + offset;
    }
}
