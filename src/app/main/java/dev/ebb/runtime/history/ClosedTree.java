package dev.ebb.runtime.history;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.topology.wire.EbbHeaders;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint as it lies on its topic.
 *
 * @param offset its place
 * @param note the signed note
 * @param checkpoint the checkpoint in it
 * @param left the edge of the tree at the checkpoint before
 */
record ClosedTree(long offset, SignedNote note, Checkpoint checkpoint, RightEdge left) {

    /** Reads a record; null if it is no checkpoint of that tree. */
    static @Nullable ClosedTree of(ConsumerRecord<byte[], byte[]> record, TreeName tree) {
        if (record.key() == null
                || record.value() == null
                || !tree.value().equals(new String(record.key(), StandardCharsets.UTF_8))) {
            return null;
        }
        try {
            SignedNote note = SignedNote.parse(new String(record.value(), StandardCharsets.UTF_8));
            RightEdge left = RightEdge.parse(
                    Objects.requireNonNullElse(EbbHeaders.text(record.headers(), EbbHeaders.LEFT_EDGE), ""));
            return new ClosedTree(record.offset(), note, Checkpoint.parse(note.text()), left);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** The mark of an audit record; null if it has none that can be read. */
    static @Nullable LeafMark markOf(ConsumerRecord<byte[], byte[]> record) {
        String mark = EbbHeaders.text(record.headers(), EbbHeaders.LEAF);
        try {
            return mark == null ? null : LeafMark.parse(mark);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
