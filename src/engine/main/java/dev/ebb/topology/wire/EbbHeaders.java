package dev.ebb.topology.wire;

import dev.ebb.domain.Shortened;
import dev.ebb.domain.policy.PolicyEdition;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.serde.json.TopicJson;
import dev.ebb.serde.records.RecordOrigin;
import dev.ebb.store.layout.InputRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/** Names of the record headers of Ebb; their values are texts in UTF-8. */
public final class EbbHeaders {

    /** Reason why a record was rejected: a {@link dev.ebb.domain.event.RejectReason}. */
    public static final String REJECTED_REASON = "ebb-rejected-reason";
    /** The fault itself, for people. */
    public static final String REJECTED_DETAIL = "ebb-rejected-detail";
    /** The topic that a rejected record came from. */
    public static final String REJECTED_TOPIC = "ebb-rejected-topic";
    /** The partition that a rejected record came from. */
    public static final String REJECTED_PARTITION = "ebb-rejected-partition";
    /** The offset of a rejected record. */
    public static final String REJECTED_OFFSET = "ebb-rejected-offset";
    /** The Kafka timestamp of a rejected record. */
    public static final String REJECTED_TIMESTAMP = "ebb-rejected-timestamp";
    /** Number of bytes of the value that was left out of a rejected record for its size; missing if none was. */
    public static final String REJECTED_VALUE_BYTES = "ebb-rejected-value-bytes";
    /** SHA-256 of the value that was left out, in hexadecimal digits; missing if the record had none. */
    public static final String REJECTED_VALUE_SHA256 = "ebb-rejected-value-sha256";
    /** Number of bytes of the key of a record without its value; of a long key only the beginning is kept. */
    public static final String REJECTED_KEY_BYTES = "ebb-rejected-key-bytes";
    /** Number of headers of a record without its value that were left out as well. */
    public static final String REJECTED_HEADERS_LEFT_OUT = "ebb-rejected-headers-left-out";

    /** Prefix of the names of all headers of a rejected record. */
    public static final String REJECTED = "ebb-rejected-";

    /** Cause of the deletion of a row: a {@link dev.ebb.domain.retention.RemovalCause}. */
    public static final String CAUSE = "ebb-cause";
    /** The scope of the policy by which a row was deleted. */
    public static final String SCOPE = "ebb-scope";
    /** The version of a record that the gate has accepted; of a deleted row, that of the policy by which it went. */
    public static final String POLICY_VERSION = "ebb-policy-version";
    /**
     * In accepted records and marks: the number of records so far that came into force behind newer ones. In the records
     * of a planned file, that number when it was planned; in a command, as its sender knows it.
     */
    public static final String LATE_CHANGES = "ebb-late-changes";
    /** The command that deleted a row. */
    public static final String COMMAND_ID = "ebb-command-id";
    /** The sweep that deleted a row. */
    public static final String SWEEP_ID = "ebb-sweep-id";

    /** In the trash: the change of policies by which a deletion was due. */
    public static final String CHANGE = "ebb-change";
    /** In the trash, any number of times: another change by which the deletion may have been due, the newest first. */
    public static final String FORMER_CHANGE = "ebb-former-change";

    /** In the trash: the execution of the event as it was at the deletion, if it was declared; not a text. */
    public static final String EXECUTION = "ebb-execution";
    /** In the trash: the number of the stream, which grows with the streams of one name. */
    public static final String STREAM_NUMBER = "ebb-stream-number";
    /** In the trash: the time of the deletion, epoch milliseconds. */
    public static final String DELETED_AT = "ebb-deleted-at";
    /** In the trash: the time from which the deletion cannot be undone any more, epoch milliseconds. */
    public static final String UNDO_UNTIL = "ebb-undo-until";
    /** In the trash: the seal of the task that sent the record, see {@code TrashSeal}; not a text. */
    public static final String TRASH_SEAL = "ebb-trash-seal";
    /** In a tombstone of the trash: the offset of the record that it takes out. */
    public static final String TRASH_OFFSET = "ebb-trash-offset";

    /** Place of an audit record in its Merkle tree: a {@link dev.ebb.domain.receipt.LeafMark}. */
    public static final String LEAF = "ebb-leaf";
    /** Right edge of the tree at the checkpoint before this one: a {@link dev.ebb.domain.receipt.RightEdge}. */
    public static final String LEFT_EDGE = "ebb-left-edge";

    /** Id shared by the policies of one file, which come into force together. */
    public static final String APPLY_ID = "ebb-apply-id";
    /** Number of records of the file. */
    public static final String APPLY_COUNT = "ebb-apply-count";
    /**
     * The version of the policies in force for which the file was planned, beside {@link #LATE_CHANGES}; the file must
     * not come into force over others.
     */
    public static final String APPLY_BASE = "ebb-apply-base";
    /** Former value of a policy or hold, before a change; one header for each change that can still be undone. */
    public static final String FORMER = "ebb-former";

    /** Prefix of the key of a confirmation; the key that is confirmed follows. */
    public static final String CONFIRM = "confirm:";
    /** Prefix of the key of an order to drop an unreadable record; the key of that record follows. */
    public static final String DROP = "drop:";
    /** In an order to drop: the offset of the record on the topic of policies; without it, any waiting record. */
    public static final String DROP_VERSION = "ebb-drop-version";
    /** In a confirmation: the version that it lets through. */
    public static final String CONFIRM_VERSION = "ebb-confirm-version";
    /** In a confirmation: the number of events that its author was told; missing if that number was not exact. */
    public static final String CONFIRM_COUNT = "ebb-confirm-count";
    /** In a confirmation: the number of records of the change that its author saw; missing for all of a file. */
    public static final String CONFIRM_RECORDS = "ebb-confirm-records";
    /** In a command: the offset of the topic of policies up to which its sender has read it; missing if unknown. */
    public static final String KNOWN_POLICIES = "ebb-known-policies";
    /** Author of a change of policies or holds. */
    public static final String ACTOR = "ebb-actor";
    /** Reason of the author for the change. */
    public static final String REASON = "ebb-reason";

    /** Actor who let through a record that the brake had held back; empty if unknown, missing if none had to. */
    public static final String CONFIRMED_BY = "ebb-confirmed-by";
    /** Reason of that actor for the confirmation. */
    public static final String CONFIRMED_REASON = "ebb-confirmed-reason";

    /** Marks a record whose Kafka timestamp is negative; never leaves the application. */
    public static final String BAD_TIMESTAMP = "ebb-bad-timestamp";

    /** In a record that was sent on and may have no id of its own: the place to which its author sent it. */
    public static final String ORIGIN = RecordOrigin.HEADER;

    /** Longest part of a garbled value that is shown. */
    private static final int MAX_SHOWN = 50;

    private EbbHeaders() {}

    /** Returns the origin of the record, for its reader. */
    public static RecordOrigin origin(InputRecord record) {
        return new RecordOrigin(record.topic(), record.partition(), record.offset(), record.key());
    }

    /**
     * Returns the record for another place. A record in JSON may take its id from the place to which it was sent; since
     * it is about to leave that place, the place goes along in a header.
     */
    public static InputRecord withOrigin(InputRecord record) {
        byte[] value = record.value();
        if (value == null || !TopicJson.isObject(value) || record.headers().lastHeader(ORIGIN) != null) {
            return record;
        }
        Headers headers = new RecordHeaders(record.headers());
        set(headers, ORIGIN, origin(record).place());
        return record.with(headers);
    }

    /** Returns true if a header of that name is one of ours for the rejected topic, or a mark that ends there. */
    static boolean isOfRejection(String name) {
        return name.startsWith(REJECTED) || name.equals(BAD_TIMESTAMP) || name.equals(OmittedValue.HEADER);
    }

    public static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    public static void set(Headers headers, String name, long value) {
        set(headers, name, Long.toString(value));
    }

    /** Names the policies in force for which the record was planned. */
    public static void setBase(Headers headers, PolicyEdition base) {
        set(headers, APPLY_BASE, base.version());
        set(headers, LATE_CHANGES, base.lateChanges());
    }

    /** Returns the policies in force for which the record was planned; null if it was not planned. */
    public static @Nullable PolicyEdition base(Headers headers) {
        return headers.lastHeader(APPLY_BASE) == null
                ? null
                : new PolicyEdition(
                        number(headers, APPLY_BASE, PolicySet.NO_VERSION), number(headers, LATE_CHANGES, 0));
    }

    /** Returns the texts of all headers of that name, in their order. */
    public static List<String> texts(Headers headers, String name) {
        List<String> texts = new ArrayList<>();
        headers.headers(name).forEach(header -> texts.add(new String(header.value(), StandardCharsets.UTF_8)));
        return texts;
    }

    /** Copies the last header of that name, if there is one; of a long header, only the beginning. */
    public static void copy(Headers from, Headers to, String name, int mostChars) {
        String text = text(from, name);
        if (text != null) {
            set(to, name, Shortened.to(mostChars, text));
        }
    }

    /** Returns the value of the last header of that name; null if there is none. */
    public static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /**
     * Returns the reason why the last header of that name is no such number; null if it is one, or there is none. Who
     * sends a number means it: a garbled one must not count as none.
     */
    public static @Nullable String problem(Headers headers, String name, long least) {
        Header header = headers.lastHeader(name);
        if (header == null || number(headers, name, least - 1) >= least) {
            return null;
        }
        String text = header.value() == null ? "" : new String(header.value(), StandardCharsets.UTF_8);
        return "the header " + name + " must be a number, at least " + least + ": '" + Shortened.to(MAX_SHOWN, text)
                + "'";
    }

    /** Returns the number in the last header of that name, or the default if there is none or it is not a number. */
    public static long number(Headers headers, String name, long otherwise) {
        String text = text(headers, name);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
