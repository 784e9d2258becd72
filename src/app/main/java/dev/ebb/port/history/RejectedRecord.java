package dev.ebb.port.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record that could not be used (O-20), as recorded on the rejected topic. Never compared.
 *
 * @param id the place of the record on the rejected topic
 * @param rejectedAtMs time at which the record was set aside, epoch milliseconds
 * @param reason the reason in one word; empty if not named
 * @param detail the reason for people
 * @param topic the topic from which it came; empty if not named
 * @param partition the partition from which it came; -1 if not named
 * @param offset its offset in that partition; -1 if not named
 * @param timestampMs its original Kafka timestamp, epoch milliseconds; may be negative
 * @param key its key
 * @param value its bytes
 * @param headers its original headers, as far as they were kept
 * @param leftOut the parts that were too big to be kept; null if the record is there in full
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
     * Parts of a record that were too big for the rejected topic. The value is missing entirely, and so is all but the
     * beginning of the key.
     *
     * @param valueBytes size of the value in bytes
     * @param valueSha256 the SHA-256 of the value in hexadecimal digits; empty if there was no value
     * @param keyBytes size of the key in bytes
     * @param headers number of headers that are missing as well
     */
    public record LeftOut(long valueBytes, String valueSha256, long keyBytes, long headers) {}

    /** A header and its bytes. */
    public record Header(String name, byte @Nullable [] value) {}

    /** The place of a record on the rejected topic, written {@code partition-offset}. */
    public record Id(int partition, long offset) {

        private static final int MAX_DIGITS = 18;

        /** Returns the place with that id; null if the text is no id. */
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
