package dev.ebb.topology.gate;

import dev.ebb.domain.policy.change.BrakeFinding;
import dev.ebb.serde.records.RecordWriter;
import dev.ebb.topology.gate.Assessments.Change;
import dev.ebb.topology.gate.Assessments.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits on the size of a change of policies: the whole change goes into the one record by which the brake asks a
 * partition about it (O-8), and all changes that wait for a confirmation go into one mark of the gate. Stateless.
 */
public final class ChangeSize {

    /** Bytes of the key of the record, and of additions to the question before it is asked. */
    private static final int QUESTION_OVERHEAD = 256;

    private static final int MARK_OVERHEAD = 256;

    /** Bytes of the clock in a mark, which may wait for a confirmation at any time and cannot be refused. */
    static final int CLOCK_BYTES = 1024;

    /** Bytes of the numbers of one namespace in a mark, as a field and in words. */
    private static final int NAMESPACE_OVERHEAD = 160;

    /** Largest size of the changes that may wait for assessment, in the memory of the gate. */
    private static final long MAX_QUEUED_BYTES = 32L << 20;

    /** Largest number of bytes by which a key is longer in a mark. */
    private static final int KEY_OVERHEAD = 12;

    private ChangeSize() {}

    /**
     * Returns the reason why the change cannot be assessed; null if it can.
     *
     * @param records the records of the topic of policies by their keys; null removes
     * @param maxBytes the size of the largest record that the broker accepts
     */
    public static @Nullable String problem(RecordWriter writer, Map<String, byte @Nullable []> records, int maxBytes) {
        List<Change> changes = records.entrySet().stream()
                .map(record -> new Change(record.getKey(), record.getValue()))
                .toList();
        Request longest = new Request("", Long.MAX_VALUE, changes);
        int bytes = Questions.record(writer, longest, Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE).length;
        return problem(records.size(), bytes, maxBytes);
    }

    /** Returns the reason why the change can be neither assessed nor named, or not queued; null if there is none. */
    static @Nullable String problem(Assessments assessments, HeldBack change, HeldChanges waiting) {
        String tooBig = problem(change.records().size(), questionBytes(assessments, change), assessments.maxBytes());
        if (tooBig != null) {
            return tooBig;
        }
        if (waiting.queuedBytes() + storedBytes(change) > MAX_QUEUED_BYTES) {
            return "too many changes already wait to be assessed, more than " + MAX_QUEUED_BYTES
                    + " bytes; send it again later";
        }
        return namingProblem(assessments, change, waiting);
    }

    /** Returns the reason why the change cannot be named among those that wait for a confirmation; null if it can. */
    static @Nullable String namingProblem(Assessments assessments, HeldBack change, HeldChanges waiting) {
        long mark = CLOCK_BYTES + waiting.namingBytes() + markBytes(change);
        return mark <= assessments.maxBytes()
                ? null
                : "too many changes already wait for a confirmation: with this one, their names and the clock would take "
                        + mark + " bytes, more than record.max.bytes (" + assessments.maxBytes() + ")";
    }

    /** Returns the size of the question about this change only, in bytes. */
    static int questionBytes(Assessments assessments, HeldBack change) {
        return assessments.bytes(new Request("", Long.MAX_VALUE, changes(change)));
    }

    /** Returns the approximate number of bytes that the gate keeps of the change. */
    static long storedBytes(HeldBack change) {
        return change.records().stream()
                .mapToLong(record -> MARK_OVERHEAD + record.bytes())
                .sum();
    }

    static List<Change> changes(HeldBack change) {
        return change.records().stream()
                .map(record -> new Change(record.key(), record.value()))
                .toList();
    }

    private static @Nullable String problem(int records, int questionBytes, int maxBytes) {
        int bytes = questionBytes + QUESTION_OVERHEAD;
        return bytes <= maxBytes
                ? null
                : "the change of " + records + " policies and holds takes " + bytes
                        + " bytes as one record, more than record.max.bytes (" + maxBytes
                        + "); split it into several changes";
    }

    /** Returns the number of bytes that name the change in a mark. */
    static long markBytes(HeldBack change) {
        return MARK_OVERHEAD
                + bytes(change.actor())
                + namespaceBytes(change.finding())
                + change.records().stream()
                        .mapToLong(record -> KEY_OVERHEAD + bytes(record.key()))
                        .sum();
    }

    /** Returns the bytes of the namespaces of a verdict; the first one is also in its reason. */
    private static long namespaceBytes(@Nullable BrakeFinding finding) {
        return finding == null
                ? 0
                : finding.namespaces().stream()
                        .mapToLong(loss -> NAMESPACE_OVERHEAD + 2L * bytes(loss.namespace()))
                        .sum();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
