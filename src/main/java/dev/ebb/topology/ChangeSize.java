package dev.ebb.topology;

import dev.ebb.serde.RecordWriter;
import dev.ebb.topology.Assessments.Change;
import dev.ebb.topology.Assessments.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How big a change of policies may be: all of it goes into the one record by which the brake asks a partition about it
 * (O-8), and all that waits into one mark of the gate. Stateless.
 */
public final class ChangeSize {

    /** The key of the record, and what the question may gain until it is asked. */
    private static final int QUESTION_OVERHEAD = 256;

    private static final int MARK_OVERHEAD = 256;
    /** An offset and the length of a key, written with as many bytes as they need. */
    private static final int KEY_OVERHEAD = 12;

    private ChangeSize() {}

    /**
     * Why the change cannot be assessed; null if it can.
     *
     * @param records the records of the topic of policies by their keys; null removes
     * @param maxBytes the biggest record that the broker takes
     */
    public static @Nullable String problem(RecordWriter writer, Map<String, byte @Nullable []> records, int maxBytes) {
        List<Change> changes = records.entrySet().stream()
                .map(record -> new Change(record.getKey(), record.getValue()))
                .toList();
        int bytes = Questions.record(writer, new Request("", Long.MAX_VALUE, changes), Long.MAX_VALUE).length;
        return problem(records.size(), bytes, maxBytes);
    }

    static @Nullable String problem(Assessments assessments, HeldBack change, List<HeldBack> waiting) {
        Request request = new Request("", Long.MAX_VALUE, changes(change));
        String tooBig = problem(change.records().size(), assessments.bytes(request), assessments.maxBytes());
        if (tooBig != null) {
            return tooBig;
        }
        long mark = markBytes(change)
                + waiting.stream().mapToLong(ChangeSize::markBytes).sum();
        return mark <= assessments.maxBytes()
                ? null
                : "too much waits for a confirmation already: with this change it would take " + mark
                        + " bytes to name it, more than record.max.bytes (" + assessments.maxBytes() + ")";
    }

    static List<Change> changes(HeldBack change) {
        return change.records().stream()
                .map(record -> new Change(PolicyJudge.keyOf(record), record.value()))
                .toList();
    }

    private static @Nullable String problem(int records, int questionBytes, int maxBytes) {
        int bytes = questionBytes + QUESTION_OVERHEAD;
        return bytes <= maxBytes
                ? null
                : "the change of " + records + " policies and holds takes " + bytes
                        + " bytes as one record, more than record.max.bytes (" + maxBytes
                        + "); make it in several changes";
    }

    private static long markBytes(HeldBack change) {
        return MARK_OVERHEAD
                + bytes(change.actor())
                + change.records().stream()
                        .mapToLong(record -> KEY_OVERHEAD + bytes(PolicyJudge.keyOf(record)))
                        .sum();
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
