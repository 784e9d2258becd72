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
 * compressed, and a producer as they leave, uncompressed. So every record is counted uncompressed: when it comes in,
 * before anything is done with it, and before it goes out.
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

    /** Part of the frame for key and headers of a record that comes in; the rest is for additions until it goes out. */
    private static final int KEY_AND_HEADERS_BYTES = FRAME_BYTES / 2;

    /** Bytes that a record takes on the wire besides key, value and headers, generously. */
    private static final int OVERHEAD_BYTES = 1024;

    /** The lengths of name and value of a header, as the changelog and the wire write them. */
    private static final int HEADER_OVERHEAD_BYTES = 10;

    /** Share that compression adds to incompressible bytes: less than a ten-thousandth with lz4 (ours) and zstd. */
    private static final int COMPRESSION_SHARE = 10_000;

    /** Share of a list in a record: a running command is remembered with one of its lists in one record. */
    private static final int LIST_SHARE = 8;

    private static final int PARTS_SHARE = 4;

    private static final int MOST_ID_BYTES = 256 * 1024;

    /** Bytes that the other fields of an audit record take at most, its reason and its actor above all. */
    private static final int AUDIT_BYTES = 48 * 1024;

    /** Growth of an id: a quotation mark in it stands in the row of its audit record as four characters. */
    private static final int ID_GROWTH = 4;

    /** The {@code max.message.bytes} of most topics and of the changelogs. */
    public int topicBytes() {
        return recordMaxBytes + FRAME_BYTES;
    }

    /** The {@code max.message.bytes} of topics whose records carry another one whole, and the largest request. */
    public int wideTopicBytes() {
        return 2 * recordMaxBytes + FRAME_BYTES;
    }

    /** The largest value of an event, and the largest row of the SQL mirror with its key. */
    public int eventBytes() {
        return recordMaxBytes - OVERHEAD_BYTES;
    }

    /** The largest record that is taken in, key and headers included. */
    int takenBytes() {
        return recordMaxBytes + KEY_AND_HEADERS_BYTES;
    }

    /** The largest record that can be sent to that sink, key and headers included. */
    public int sentBytes(String sink) {
        return switch (sink) {
            case Nodes.REJECTED_SINK,
                    Nodes.POLICY_REJECTED_SINK,
                    Nodes.REKEY_SINK,
                    Nodes.ARCHIVE_SINK,
                    Nodes.TRASH_SINK -> sendable(wideTopicBytes());
            // Another partition takes it in.
            case Nodes.COMMANDS_SINK, Nodes.QUESTIONS_SINK, Nodes.ASSESSMENTS_SINK -> takenBytes();
            default -> storedBytes();
        };
    }

    /** The largest record of a changelog. */
    public int storedBytes() {
        return sendable(topicBytes());
    }

    /** Bytes that the ids of one audit record may have together. */
    public int auditIdBytes() {
        return Math.min(MOST_ID_BYTES, (storedBytes() - AUDIT_BYTES) / ID_GROWTH);
    }

    /** Bytes that a command may take as JSON, without the lists that it gathers. */
    public int requestBytes() {
        return recordMaxBytes / 4 * 3;
    }

    /** Bytes that the list of streams that a command goes about at once may take as JSON. */
    public int listBytes() {
        return recordMaxBytes / LIST_SHARE;
    }

    /** Bytes that the parts of a sweep by hand may take as JSON. */
    public int partsBytes() {
        return recordMaxBytes / PARTS_SHARE;
    }

    private static int sendable(int topicBytes) {
        return topicBytes - OVERHEAD_BYTES - topicBytes / COMPRESSION_SHARE;
    }

    /** Reason why a record cannot be taken in; null if it can. Asked before the record is decoded or parked. */
    @Nullable
    public Rejection problem(InputRecord record) {
        LeftOut leftOut = LeftOut.of(record);
        long bytes = bytes(record.key(), record.value(), record.headers()) + (leftOut == null ? 0 : leftOut.bytes());
        return bytes <= takenBytes()
                ? null
                : new Rejection(
                        RejectReason.TOO_BIG,
                        "the record has " + bytes + " bytes with its key and its headers, at most " + takenBytes()
                                + " are taken");
    }

    /** Reason why an event cannot be taken in, or its row sent; null if it can. */
    @Nullable
    public Rejection problemOfEvent(String what, int bytes) {
        return bytes <= eventBytes()
                ? null
                : new Rejection(
                        RejectReason.TOO_BIG,
                        what + " has " + bytes + " bytes, at most " + eventBytes() + " are taken");
    }

    /**
     * Checks the size of a record before it is sent, so that its maker learns of one that is too big, before a producer
     * fails.
     *
     * @throws TooBigToSendException if the topic of the sink does not take it
     */
    public void require(String sink, byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        long bytes = bytes(key, value, headers);
        if (bytes > sentBytes(sink)) {
            throw new TooBigToSendException(
                    "a record for " + sink + " has " + bytes + " bytes, at most " + sentBytes(sink) + " can be sent");
        }
    }

    /** Size of a record before it is compressed, in bytes. */
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

    /** Size of a text in JSON, with its quotation marks, in bytes. */
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
