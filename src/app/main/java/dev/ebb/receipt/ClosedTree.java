package dev.ebb.receipt;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint as it lies on its topic.
 *
 * @param offset the offset of its record
 * @param timeMs the time that the broker gave it, epoch milliseconds
 * @param note the signed note
 * @param checkpoint the checkpoint in the note
 * @param left the edge of the tree at the previous checkpoint
 * @param problem reason why the record is no checkpoint, as the end of a sentence about it; null if it is one
 */
record ClosedTree(
        long offset,
        long timeMs,
        SignedNote note,
        Checkpoint checkpoint,
        RightEdge left,
        @Nullable String problem) {

    private static final SignedNote NO_NOTE = new SignedNote("\n", List.of());
    private static final Checkpoint NO_CHECKPOINT = new Checkpoint("", 0, Hash.OF_NOTHING);

    /**
     * Reads a record; null if it does not belong to that tree. A record that belongs to no tree counts as part of the
     * tree of the deletes.
     */
    static @Nullable ClosedTree of(ConsumerRecord<byte[], byte[]> record, TreeName tree) {
        String key = record.key() == null ? "" : new String(record.key(), StandardCharsets.UTF_8);
        if (!tree.value().equals(key)) {
            boolean isOther =
                    tree.equals(TreeName.POLICIES) || tree.neighbours().contains(key);
            return isOther ? null : none(record, "has the key of no tree");
        }
        try {
            SignedNote note = SignedNote.parse(
                    new String(Objects.requireNonNullElse(record.value(), new byte[0]), StandardCharsets.UTF_8));
            Checkpoint checkpoint = Checkpoint.parse(note.text());
            if (!checkpoint.origin().endsWith(tree.origin(""))) {
                return none(record, "is one of another tree: " + checkpoint.origin());
            }
            RightEdge left = RightEdge.parse(
                    Objects.requireNonNullElse(EbbHeaders.text(record.headers(), EbbHeaders.LEFT_EDGE), ""));
            return new ClosedTree(record.offset(), record.timestamp(), note, checkpoint, left, null);
        } catch (IllegalArgumentException e) {
            return none(record, "cannot be read: " + e.getMessage());
        }
    }

    private static ClosedTree none(ConsumerRecord<byte[], byte[]> record, String problem) {
        return new ClosedTree(record.offset(), record.timestamp(), NO_NOTE, NO_CHECKPOINT, RightEdge.EMPTY, problem);
    }

    /** Returns true if the checkpoint can be used. */
    boolean isOne() {
        return problem == null;
    }

    /** Returns the mark of an audit record; null if it has no readable mark. */
    static @Nullable LeafMark markOf(ConsumerRecord<byte[], byte[]> record) {
        String mark = EbbHeaders.text(record.headers(), EbbHeaders.LEAF);
        try {
            return mark == null ? null : LeafMark.parse(mark);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
