package dev.ebb.receipt;

import dev.ebb.domain.receipt.AuditCheck;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.KeyName;
import dev.ebb.domain.receipt.LeafMark;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.SignedNote;
import dev.ebb.domain.receipt.TreeName;
import dev.ebb.domain.receipt.VerifierKey;
import dev.ebb.port.history.ReceiptQueries.Verified;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The part of a tree between two cursors: its records and its checkpoints, side by side. Not thread-safe. */
final class TreePart {

    /** Maximum number of checkpoints to read behind one that does not agree, to find out which of the two is wrong. */
    private static final int LOOKED_AT = 8;

    private final TreeName tree;
    private final ClosedTrees closed;
    private final List<VerifierKey> keys;
    private final AuditCheck check;
    private final RightEdge begin;
    private final boolean hasBegun;
    private int next;
    private long auditOffset;
    private long verifiedOffset;
    private @Nullable ClosedTree agreed;
    private long signed;
    private long unsigned;
    private long openSinceMs = Long.MAX_VALUE;
    private @Nullable Finding finding;

    /**
     * @param closed the checkpoints of the part
     * @param keys keys whose signatures are expected
     */
    TreePart(VerifyCursor from, ClosedTrees closed, List<VerifierKey> keys) {
        this.tree = from.tree();
        this.closed = closed;
        this.keys = keys;
        this.check = new AuditCheck(tree.value(), tree.neighbours(), from.edge(), from.hasBegun());
        this.begin = from.edge();
        this.hasBegun = from.hasBegun();
        this.auditOffset = from.auditOffset();
        this.verifiedOffset = from.auditOffset();
    }

    @Nullable
    Finding finding() {
        return finding;
    }

    /** Returns the offset of the audit record to continue with. */
    long auditOffset() {
        return auditOffset;
    }

    /** Returns true if a checkpoint covers more records than were read so far. */
    boolean lacksRecords() {
        return finding == null
                && closed.list().stream()
                        .skip(next)
                        .anyMatch(one -> one.checkpoint().size() > check.edge().size());
    }

    /** Returns true if a checkpoint is left that was not compared. */
    boolean hasNext() {
        return next < closed.list().size();
    }

    /** Adds the next audit record of the partition; returns false if no further one is wanted. */
    boolean record(ConsumerRecord<byte[], byte[]> record) {
        LeafMark mark = ClosedTree.markOf(record);
        while (finding == null
                && hasNext()
                && closed.list().get(next).checkpoint().size() <= check.edge().size()
                && !check.isSecond(mark)) {
            checkpoint();
        }
        if (finding != null || (!hasNext() && !closed.isAll())) {
            return false;
        }
        byte[] value = record.value() == null ? new byte[0] : record.value();
        finding = check.record(record.offset(), mark, value);
        auditOffset = record.offset() + 1;
        if (Objects.equals(check.openFrom(), record.offset())) {
            openSinceMs = record.timestamp();
        }
        return finding == null;
    }

    /**
     * Ends the part, as no record follows: the remaining checkpoints must cover records that were read.
     *
     * @param openUntilMs time before which a record must already have its checkpoint, epoch milliseconds
     */
    void end(long openUntilMs) {
        while (finding == null && hasNext()) {
            checkpoint();
        }
        if (finding == null && closed.isAll()) {
            finding = check.end();
        }
        if (finding == null && closed.isAll() && !keys.isEmpty()) {
            finding = unsignedEnd();
        }
        Long first = check.openFrom();
        if (finding == null && closed.isAll() && first != null && openSinceMs < openUntilMs) {
            finding = new Finding(
                    Finding.Kind.CHECKPOINT,
                    check.verified().size(),
                    check.edge().size() - 1,
                    first,
                    "no checkpoint covers it, though it is not new: it was inserted, or its task does not run");
        }
    }

    private void checkpoint() {
        ClosedTree one = closed.list().get(next++);
        finding = one.problem() == null ? signatureFault(one) : fault(one, one.problem());
        if (finding == null) {
            finding = check.checkpoint(one.checkpoint(), one.left());
            if (finding == null) {
                agreed(one);
            } else if (isForged()) {
                finding = fault(one, "does not continue from the one before it, but a later one does");
            } else if (finding.offset() == null && keys.isEmpty() && !hasNext()) {
                finding = orForged(finding, one);
            }
        }
    }

    /** Returns true if a checkpoint behind the rejected one continues from the one in front of it. */
    private boolean isForged() {
        return closed.list().stream()
                .skip(next)
                .limit(LOOKED_AT)
                .anyMatch(later -> later.isOne() && later.left().equals(check.verified()));
    }

    private static Finding orForged(Finding found, ClosedTree one) {
        return new Finding(
                found.kind(),
                found.first(),
                found.last(),
                null,
                found.detail() + ", unless the checkpoint at offset " + one.offset() + " of its topic was inserted");
    }

    private Finding fault(ClosedTree one, String detail) {
        long size = one.isOne() ? one.checkpoint().size() : check.verified().size();
        return new Finding(
                Finding.Kind.CHECKPOINT,
                size,
                size,
                null,
                "the checkpoint at offset " + one.offset() + " of its topic " + detail);
    }

    private void agreed(ClosedTree one) {
        agreed = one;
        verifiedOffset = auditOffset;
        if (one.note().signatures().isEmpty()) {
            unsigned++;
        } else if (keys.stream().anyMatch(key -> key.vouchesFor(one.note(), one.checkpoint()))) {
            signed++;
        }
    }

    private @Nullable Finding signatureFault(ClosedTree one) {
        SignedNote note = one.note();
        for (VerifierKey key : keys) {
            if (isOf(key, note) && !key.hasSigned(note)) {
                return fault(one, "has a wrong signature of the key " + key.name());
            }
        }
        if (keys.isEmpty()
                || note.signatures().isEmpty()
                || keys.stream().anyMatch(key -> key.vouchesFor(note, one.checkpoint()))) {
            return null;
        }
        for (VerifierKey key : keys) {
            if (key.hasSigned(note)) {
                return fault(one, "is signed by the key " + key.name() + " after its end, when it counted no more");
            }
        }
        String others = note.signatures().stream()
                .map(SignedNote.Signature::key)
                .map(KeyName::toString)
                .collect(Collectors.joining(", "));
        return fault(one, "is signed by " + others + " alone; name that key too if it is one of yours");
    }

    private static boolean isOf(VerifierKey key, SignedNote note) {
        return note.signatures().stream().anyMatch(signature -> signature.key().equals(key.name()));
    }

    /** A signed checkpoint vouches for all checkpoints in front of it, so only the last one must be signed. */
    private @Nullable Finding unsignedEnd() {
        return agreed != null && agreed.note().signatures().isEmpty()
                ? fault(agreed, "is the last one and has no signature, so no key vouches for it")
                : null;
    }

    /**
     * Returns the cursor behind the last checkpoint that agreed; if none did yet, behind the records of other trees
     * that were read.
     */
    String goOn() {
        if (agreed != null) {
            return new VerifyCursor(tree, true, verifiedOffset, agreed.offset() + 1, check.verified()).write();
        }
        long records = check.edge().size() == begin.size() ? auditOffset : verifiedOffset;
        return new VerifyCursor(tree, hasBegun, records, closed.list().get(0).offset(), begin).write();
    }

    /** @param cursor the place at which to continue */
    Verified verified(@Nullable String cursor) {
        return new Verified(
                tree.value(),
                begin.size(),
                check.verified().size(),
                closed.isAll() ? check.edge().size() - check.verified().size() : 0,
                check.checkpoints(),
                signed,
                unsigned,
                agreed == null ? null : agreed.note().toString(),
                finding,
                cursor);
    }
}
