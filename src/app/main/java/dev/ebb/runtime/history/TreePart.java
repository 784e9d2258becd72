package dev.ebb.runtime.history;

import dev.ebb.domain.receipt.AuditCheck;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.port.history.ReceiptQueries.Verified;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The part of a tree between two cursors: its records and its checkpoints, side by side. Not thread-safe. */
final class TreePart {

    private final TreeName tree;
    private final List<ClosedTree> closed;
    private final List<VerifierKey> keys;
    private final AuditCheck check;
    private final RightEdge begin;
    private int next;
    private long auditOffset;
    private long verifiedOffset;
    private @Nullable ClosedTree agreed;
    private long signed;
    private long unsigned;
    private @Nullable Finding finding;

    /**
     * @param closed the checkpoints of the part
     * @param keys keys of which signatures are expected
     */
    TreePart(VerifyCursor from, List<ClosedTree> closed, List<VerifierKey> keys) {
        this.tree = from.tree();
        this.closed = closed;
        this.keys = keys;
        this.check = new AuditCheck(tree.value(), tree.neighbours(), from.edge(), from.hasBegun());
        this.begin = from.edge();
        this.auditOffset = from.auditOffset();
        this.verifiedOffset = from.auditOffset();
    }

    @Nullable
    Finding finding() {
        return finding;
    }

    /** The audit record to go on with. */
    long auditOffset() {
        return auditOffset;
    }

    /** Returns true if a checkpoint speaks of more records than there were so far. */
    boolean lacksRecords() {
        return finding == null
                && next < closed.size()
                && closed.get(closed.size() - 1).checkpoint().size()
                        > check.edge().size();
    }

    /** Takes the next audit record of the partition; returns false if no further one is wanted. */
    boolean record(ConsumerRecord<byte[], byte[]> record) {
        while (finding == null
                && next < closed.size()
                && closed.get(next).checkpoint().size() <= check.edge().size()) {
            checkpoint();
        }
        if (finding != null || next == closed.size()) {
            return false;
        }
        byte[] value = record.value() == null ? new byte[0] : record.value();
        finding = check.record(record.offset(), ClosedTree.markOf(record), value);
        auditOffset = record.offset() + 1;
        return finding == null;
    }

    /** No record follows: the checkpoints that are left must be of those that were there. */
    void end() {
        while (finding == null && next < closed.size()) {
            checkpoint();
        }
    }

    private void checkpoint() {
        ClosedTree one = closed.get(next++);
        finding = check.checkpoint(one.checkpoint(), one.left());
        if (finding == null && keys.stream().anyMatch(key -> isForged(key, one))) {
            long size = one.checkpoint().size();
            String detail = "the signature of the checkpoint at " + size + " is wrong";
            finding = new Finding(Finding.Kind.CHECKPOINT, size, size, null, detail);
        }
        if (finding == null) {
            agreed(one);
        }
    }

    private void agreed(ClosedTree one) {
        agreed = one;
        verifiedOffset = auditOffset;
        if (one.note().signatures().isEmpty()) {
            unsigned++;
        } else if (keys.stream().anyMatch(key -> key.hasSigned(one.note()))) {
            signed++;
        }
    }

    private static boolean isForged(VerifierKey key, ClosedTree closed) {
        return closed.note().signatures().stream()
                        .anyMatch(signature -> signature.key().equals(key.name()))
                && !key.hasSigned(closed.note());
    }

    /** Cursor behind the last checkpoint that agreed. */
    String goOn() {
        long offset = agreed == null ? closed.get(0).offset() : agreed.offset() + 1;
        return new VerifyCursor(tree, agreed != null, verifiedOffset, offset, check.verified()).write();
    }

    /** @param cursor the place to go on at */
    Verified verified(@Nullable String cursor) {
        return new Verified(
                tree.value(),
                begin.size(),
                check.verified().size(),
                check.checkpoints(),
                signed,
                unsigned,
                agreed == null ? null : agreed.note().toString(),
                finding,
                cursor);
    }
}
