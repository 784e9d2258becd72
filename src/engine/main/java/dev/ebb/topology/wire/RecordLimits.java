package dev.ebb.topology.wire;

import dev.ebb.domain.event.RejectReason;
import dev.ebb.domain.event.Rejection;
import dev.ebb.store.layout.InputRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the size of records, all derived from {@code record.max.bytes}. The broker limits records as they arrive,
 * compressed, and a producer as they leave, uncompressed. So the uncompressed size of every record is checked: on
 * arrival, before anything is done with the record, and before a record is sent.
 *
 * <p>Most topics and the changelogs take a record of {@code record.max.bytes} with its key and its headers. Records
 * that carry another one whole go to wide topics, which take twice as much.
 *
 * @param recordMaxBytes the setting, in bytes
 */
public record RecordLimits(int recordMaxBytes) {

    /** The smallest {@code record.max.bytes} with which the longest names and reasons still fit into every record. */
    public static final int LEAST_RECORD_MAX_BYTES = 65_536;

    /** Room for the key, the headers and the frame of a batch around a record of the largest size. */
    private static final int FRAME_BYTES = 65_536;

    /** Part of the frame for the key and headers of an incoming record; the rest is for additions before it is sent. */
    private static final int KEY_AND_HEADERS_BYTES = FRAME_BYTES / 2;

    /** Bytes that a record takes on the wire besides key, value and headers, with a generous margin. */
    private static final int OVERHEAD_BYTES = 1024;

    /** Bytes of the lengths of name and value of a header, in the changelog and on the wire. */
    private static final int HEADER_OVERHEAD_BYTES = 10;

    /** Share that compression adds to incompressible bytes: less than a ten-thousandth with lz4 (ours) and zstd. */
    private static final int COMPRESSION_SHARE = 10_000;

    /** Share of a list in a record: a running command is saved with one of its lists in one record. */
    private static final int LIST_SHARE = 8;

    private static final int PARTS_SHARE = 4;

    private static final int MOST_ID_BYTES = 256 * 1024;

    /** Largest size of the other fields of an audit record, mainly its reason and its actor. */
    private static final int AUDIT_BYTES = 48 * 1024;

    /** Growth of an id: a quotation mark in it takes four characters in the row of its audit record. */
    private static final int ID_GROWTH = 4;

    /** Returns the {@code max.message.bytes} of most topics and of the changelogs. */
    public int topicBytes() {
        return recordMaxBytes + FRAME_BYTES;
    }

    /**
     * Returns the {@code max.message.bytes} of topics whose records carry another one whole; also the size of the
     * largest request.
     */
    public int wideTopicBytes() {
        return 2 * recordMaxBytes + FRAME_BYTES;
    }

    /** Returns the size of the largest value of an event, and of the largest row of the SQL mirror with its key. */
    public int eventBytes() {
        return recordMaxBytes - OVERHEAD_BYTES;
    }

    /** Returns the size of the largest record that is taken in, key and headers included. */
    int takenBytes() {
        return recordMaxBytes + KEY_AND_HEADERS_BYTES;
    }

    /** Returns the size of the largest record that can be sent to that sink, key and headers included. */
    public int sentBytes(String sink) {
        return switch (sink) {
            case Nodes.REJECTED_SINK,
                    Nodes.POLICY_REJECTED_SINK,
                    Nodes.REKEY_SINK,
                    Nodes.ARCHIVE_SINK,
                    Nodes.TRASH_SINK -> sendable(wideTopicBytes());
            // Another partition takes the record in.
            case Nodes.COMMANDS_SINK, Nodes.QUESTIONS_SINK, Nodes.ASSESSMENTS_SINK -> takenBytes();
            default -> storedBytes();
        };
    }

    /** Returns the size of the largest record of a changelog. */
    public int storedBytes() {
        return sendable(topicBytes());
    }

    /** Returns the largest total size of the ids in one audit record, in bytes. */
    public int auditIdBytes() {
        return Math.min(MOST_ID_BYTES, (storedBytes() - AUDIT_BYTES) / ID_GROWTH);
    }

    /** Returns the largest size of a command as JSON, without the lists that it gathers, in bytes. */
    public int requestBytes() {
        return recordMaxBytes / 4 * 3;
    }

    /** Returns the largest size as JSON of the list of streams that a command handles at once, in bytes. */
    public int listBytes() {
        return recordMaxBytes / LIST_SHARE;
    }

    /** Returns the largest size as JSON of the parts of a sweep by hand, in bytes. */
    public int partsBytes() {
        return recordMaxBytes / PARTS_SHARE;
    }

    private static int sendable(int topicBytes) {
        return topicBytes - OVERHEAD_BYTES - topicBytes / COMPRESSION_SHARE;
    }

    /** Returns the reason why a record cannot be taken in; null if it can. Called before decoding and parking. */
    @Nullable
    public Rejection problem(InputRecord record) {
        OmittedValue omitted = OmittedValue.of(record);
        long bytes = bytes(record.key(), record.value(), record.headers()) + (omitted == null ? 0 : omitted.bytes());
        return bytes <= takenBytes()
                ? null
                : new Rejection(
                        RejectReason.TOO_BIG,
                        "the record has " + bytes + " bytes with its key and its headers, at most " + takenBytes()
                                + " are taken");
    }

    /** Returns the reason why an event cannot be taken in, or its row sent; null if both can be done. */
    @Nullable
    public Rejection problemOfEvent(String what, int bytes) {
        return bytes <= eventBytes()
                ? null
                : new Rejection(
                        RejectReason.TOO_BIG,
                        what + " has " + bytes + " bytes, at most " + eventBytes() + " are taken");
    }

    /**
     * Checks the size of a record before it is sent, so that its maker learns that it is too big before a producer
     * fails.
     *
     * @throws TooBigToSendException if the topic of the sink does not accept the record
     */
    public void require(String sink, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        long bytes = bytes(key, value, headers);
        if (bytes > sentBytes(sink)) {
            throw new TooBigToSendException(
                    "a record for " + sink + " has " + bytes + " bytes, at most " + sentBytes(sink) + " can be sent");
        }
    }

    /** Returns the size of a record before it is compressed, in bytes. */
    public static long bytes(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        long bytes = length(key) + length(value);
        for (Header header : headers) {
            bytes += bytes(header);
        }
        return bytes;
    }

    static long bytes(Header header) {
        return (long) HEADER_OVERHEAD_BYTES + Utils.utf8Length(header.key()) + length(header.value());
    }

    /** Returns the size of a text in JSON, with its quotation marks, in bytes. */
    public static int jsonBytes(String text) {
        int bytes = 2 + Utils.utf8Length(text);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            bytes += c == '"' || c == '\\' ? 1 : 0;
        }
        return bytes;
    }

    private static long length(byte @Nullable [] bytes) {
        return bytes == null ? 0 : bytes.length;
    }
}
