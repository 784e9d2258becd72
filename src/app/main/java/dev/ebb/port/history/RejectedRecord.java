package dev.ebb.port.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be used (O-20), as it lies on the rejected topic. Never compared.
 *
 * @param id where it lies
 * @param rejectedAtMs when it was set aside, epoch milliseconds
 * @param reason why, one word; empty if nobody said
 * @param detail why, for people
 * @param topic the topic that it came from; empty if nobody said
 * @param partition the partition that it came from; -1 if nobody said
 * @param offset its offset there; -1 if nobody said
 * @param timestampMs the Kafka timestamp that it came with; may be negative
 * @param key its key
 * @param value its bytes
 * @param headers the headers that it came with, as far as they were kept
 * @param leftOut what was too big to be kept; null if all of it is there
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record RejectedRecord(
        Id id,
        long rejectedAtMs,
        String reason,
        String detail,
        String topic,
        int partition,
        long offset,
        long timestampMs,
        byte @Nullable [] key,
        byte @Nullable [] value,
        List<Header> headers,
        @Nullable LeftOut leftOut) {

    public RejectedRecord {
        headers = List.copyOf(headers);
    }

    /**
     * What a record had that was too big for the rejected topic: its value is not there at all, of its key the beginning.
     *
     * @param valueBytes how many bytes the value had
     * @param valueSha256 the SHA-256 of the value in hexadecimal digits; empty if there was no value
     * @param keyBytes how many bytes the key had
     * @param headers how many headers are not there either
     */
    public record LeftOut(long valueBytes, String valueSha256, long keyBytes, long headers) {}

    /** A header and its bytes. */
    public record Header(String name, byte @Nullable [] value) {}

    /** Where a record lies on the rejected topic; written {@code partition-offset}. */
    public record Id(int partition, long offset) {

        private static final int MAX_DIGITS = 18;

        /** Null if the text is no id. */
        public static @Nullable Id parse(String text) {
            int dash = text.indexOf('-');
            if (!text.matches("\\d{1,9}-\\d{1," + MAX_DIGITS + "}")) {
                return null;
            }
            return new Id(Integer.parseInt(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
        }

        @Override
        public String toString() {
            return partition + "-" + offset;
        }
    }
}
