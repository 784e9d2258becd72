package dev.ebb.domain.receipt;

import dev.ebb.domain.Snapshot;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares the audit records of a tree, in the order of their topic, with its checkpoints: recomputes each root, and
 * names the first record that was changed, dropped or put in. Ends with the first finding. Not thread-safe.
 */
public final class AuditCheck {

    private final String tree;
    private final Set<String> neighbours;
    private OpenLeaves open;
    private boolean hasBegun;
    private long checkpoints;

    /**
     * @param tree the name of the tree
     * @param neighbours the names of other trees with records in the same partition
     * @param from the edge from which the check continues: that of a checkpoint, or the empty one
     * @param hasBegun false if records before the edge may still come; the check passes over them
     */
    public AuditCheck(String tree, Set<String> neighbours, RightEdge from, boolean hasBegun) {
        this.tree = tree;
        this.neighbours = Snapshot.of(neighbours);
        this.open = new OpenLeaves(from);
        this.hasBegun = hasBegun;
    }

    /** Returns the edge after the last leaf. */
    public RightEdge edge() {
        return open.edge();
    }

    /** Returns the edge at the last checkpoint that agreed; before the first one, the edge at which the check began. */
    public RightEdge verified() {
        return open.verified();
    }

    /** Returns the offset of the first record that no checkpoint covers so far; null if there is none. */
    public @Nullable Long openFrom() {
        return open.firstOffset();
    }

    /** Returns the number of checkpoints that agreed. */
    public long checkpoints() {
        return checkpoints;
    }

    /**
     * Returns true if a record with the mark has the same number as a record that no checkpoint covers so far. Take it
     * before the next checkpoint, which decides between the two.
     */
    public boolean isSecond(@Nullable LeafMark mark) {
        return mark != null && mark.tree().equals(tree) && open.has(mark.index());
    }

    /**
     * Takes the next record of the partition.
     *
     * @param mark the mark of the record; null if it has no readable mark
     * @return the fault; null if there is none
     */
    public @Nullable Finding record(long offset, @Nullable LeafMark mark, byte[] value) {
        if (mark != null && neighbours.contains(mark.tree())) {
            return null;
        }
        boolean isInFront = mark == null || mark.index() < edge().size();
        if (!hasBegun && isInFront) {
            return null;
        }
        hasBegun = true;
        if (mark == null || !mark.tree().equals(tree)) {
            return first(inserted(offset, "the record does not belong to the tree"));
        }
        return isInFront ? again(offset, mark, value) : next(offset, mark, value);
    }

    private @Nullable Finding next(long offset, LeafMark mark, byte[] value) {
        if (mark.index() > edge().size()) {
            return first(dropped(mark.index(), offset));
        }
        Hash leaf = Hash.ofLeaf(value);
        if (!leaf.equals(mark.hash())) {
            return first(new Finding(
                    Finding.Kind.CHANGED,
                    mark.index(),
                    mark.index(),
                    offset,
                    "the record was changed: its hash differs"));
        }
        open.add(offset, leaf);
        return null;
    }

    private @Nullable Finding again(long offset, LeafMark mark, byte[] value) {
        Hash leaf = Hash.ofLeaf(value);
        boolean mayBeRight = leaf.equals(mark.hash()) && open.addSecond(offset, mark.index(), leaf);
        return mayBeRight
                ? null
                : first(inserted(offset, "an earlier record has the number " + mark.index() + " already"));
    }

    /** Returns the fault, or the fault of two records with the same number, which comes before it. */
    private Finding first(Finding fault) {
        Finding earlier = open.inDoubt();
        return earlier == null ? fault : earlier;
    }

    private Finding inserted(long offset, String detail) {
        return new Finding(Finding.Kind.INSERTED, edge().size(), edge().size(), offset, detail);
    }

    /** @param next the number of the leaf that follows the gap, or the size that the tree should have */
    private Finding dropped(long next, @Nullable Long offset) {
        long first = edge().size();
        String which = first + 1 == next ? "the record is" : "the records are";
        String where = offset == null ? " missing" : " missing before this one, or out of order";
        return new Finding(Finding.Kind.DROPPED, first, next - 1, offset, which + where);
    }

    /**
     * Takes the next checkpoint, once all records up to its size, or all that exist, have been taken.
     *
     * @param left the edge that came with the checkpoint: that of the checkpoint before
     * @return the fault; null if there is none
     */
    public @Nullable Finding checkpoint(Checkpoint checkpoint, RightEdge left) {
        if (checkpoint.size() > edge().size()) {
            return first(dropped(checkpoint.size(), null));
        }
        if (checkpoint.size() < edge().size() || left.size() != verified().size()) {
            return new Finding(
                    Finding.Kind.CHECKPOINT,
                    verified().size(),
                    left.size(),
                    null,
                    "a checkpoint between the sizes " + verified().size() + " and " + checkpoint.size()
                            + " is missing or out of order");
        }
        Finding fault = open.compare(checkpoint.root());
        if (fault == null && !left.equals(verified())) {
            fault = new Finding(
                    Finding.Kind.CHECKPOINT,
                    verified().size(),
                    checkpoint.size(),
                    null,
                    "the left edge in the header of the checkpoint at " + checkpoint.size()
                            + " is not that of the one before");
        }
        if (fault == null) {
            open = new OpenLeaves(edge());
            checkpoints++;
        }
        return fault;
    }

    /**
     * Returns the fault of the records that no checkpoint covers, at the end of all checkpoints; null if none is known.
     */
    public @Nullable Finding end() {
        return open.inDoubt();
    }
}
