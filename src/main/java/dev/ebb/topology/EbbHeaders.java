package dev.ebb.topology;

import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The names of our record headers; their values are texts in UTF-8. */
public final class EbbHeaders {

    /** Why a record was rejected: a {@link dev.ebb.domain.event.RejectReason}. */
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

    /** Why a row was deleted: a {@link dev.ebb.domain.retention.RemovalCause}. */
    public static final String CAUSE = "ebb-cause";
    /** The scope of the policy by which a row was deleted. */
    public static final String SCOPE = "ebb-scope";
    /** The version of that policy. */
    public static final String POLICY_VERSION = "ebb-policy-version";
    /** The command that deleted a row. */
    public static final String COMMAND_ID = "ebb-command-id";
    /** The sweep that deleted a row. */
    public static final String SWEEP_ID = "ebb-sweep-id";

    /** Joins the policies of one file, which come into force together. */
    public static final String APPLY_ID = "ebb-apply-id";
    /** How many records the file has. */
    public static final String APPLY_COUNT = "ebb-apply-count";
    /** The offset of an accepted record on the topic of policies. */
    public static final String SOURCE_OFFSET = "ebb-source-offset";

    /** What the key of a confirmation begins with; the key that is confirmed follows. */
    public static final String CONFIRM = "confirm:";
    /** In a confirmation: the offset of the record on the topic of policies that it lets through. */
    public static final String CONFIRM_VERSION = "ebb-confirm-version";
    /** Who asks for a change of policies or holds. */
    public static final String ACTOR = "ebb-actor";
    /** Why they ask for it. */
    public static final String REASON = "ebb-reason";

    /** Who let an accepted record through that the brake had held back; empty if unknown, missing if nobody had to. */
    public static final String CONFIRMED_BY = "ebb-confirmed-by";
    /** Why they did. */
    public static final String CONFIRMED_REASON = "ebb-confirmed-reason";

    /** Marks a record whose Kafka timestamp is negative; never leaves the application. */
    static final String BAD_TIMESTAMP = "ebb-bad-timestamp";

    private EbbHeaders() {}

    static void set(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }

    static void set(Headers headers, String name, long value) {
        set(headers, name, Long.toString(value));
    }

    /** Takes the last header of that name over, if there is one. */
    static void copy(Headers from, Headers to, String name) {
        String text = text(from, name);
        if (text != null) {
            set(to, name, text);
        }
    }

    /** The value of the last header of that name; null if there is none. */
    static @Nullable String text(Headers headers, String name) {
        Header header = headers.lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    /** The number in the last header of that name, or the default if there is none or it is no number. */
    static long number(Headers headers, String name, long otherwise) {
        String text = text(headers, name);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
