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
    private RightEdge edge;
    private RightEdge verified;
    private boolean hasBegun;
    private long checkpoints;
    private long passedOver;

    /**
     * @param tree name of the tree
     * @param neighbours names of other trees with records in the same partition
     * @param from the edge from which to go on; that of a checkpoint, or the empty one
     * @param hasBegun false if records in front of that edge may still come, which are passed over
     */
    public AuditCheck(String tree, Set<String> neighbours, RightEdge from, boolean hasBegun) {
        this.tree = tree;
        this.neighbours = Snapshot.of(neighbours);
        this.edge = from;
        this.verified = from;
        this.hasBegun = hasBegun;
    }

    /** The edge behind the last leaf. */
    public RightEdge edge() {
        return edge;
    }

    /** The edge at the last checkpoint that agreed; that of the beginning before the first. */
    public RightEdge verified() {
        return verified;
    }

    /** Number of checkpoints that agreed. */
    public long checkpoints() {
        return checkpoints;
    }

    /** Number of records in front of the edge from which the check began. */
    public long passedOver() {
        return passedOver;
    }

    /**
     * Takes the next record of the partition.
     *
     * @param mark its mark; null if it has none that can be read
     * @return the fault; null if there is none
     */
    public @Nullable Finding record(long offset, @Nullable LeafMark mark, byte[] value) {
        if (mark != null && neighbours.contains(mark.tree())) {
            return null;
        }
        boolean isInFront = mark == null || mark.index() < edge.size();
        if (!hasBegun && isInFront) {
            passedOver++;
            return null;
        }
        hasBegun = true;
        if (mark == null || !mark.tree().equals(tree)) {
            return inserted(offset, "the record is none of the tree");
        }
        if (isInFront) {
            return inserted(offset, "an earlier record has the number " + mark.index() + " already");
        }
        if (mark.index() > edge.size()) {
            return dropped(mark.index(), offset);
        }
        Hash leaf = Hash.ofLeaf(value);
        if (!leaf.equals(mark.hash())) {
            return new Finding(
                    Finding.Kind.CHANGED,
                    mark.index(),
                    mark.index(),
                    offset,
                    "the record was changed: its hash differs");
        }
        edge = edge.with(leaf);
        return null;
    }

    private Finding inserted(long offset, String detail) {
        return new Finding(Finding.Kind.INSERTED, edge.size(), edge.size(), offset, detail);
    }

    /** @param next number of the leaf that follows the gap; or size of a tree that should be here */
    private Finding dropped(long next, @Nullable Long offset) {
        String detail = edge.size() + 1 == next ? "the record is missing" : "the records are missing";
        return new Finding(Finding.Kind.DROPPED, edge.size(), next - 1, offset, detail);
    }

    /**
     * Takes the next checkpoint when all records up to its size, or all that there are, have been taken.
     *
     * @param left the edge that came with it; of the checkpoint before
     * @return the fault; null if there is none
     */
    public @Nullable Finding checkpoint(Checkpoint checkpoint, RightEdge left) {
        if (checkpoint.size() > edge.size()) {
            return dropped(checkpoint.size(), null);
        }
        if (checkpoint.size() < edge.size() || left.size() != verified.size()) {
            return new Finding(
                    Finding.Kind.CHECKPOINT,
                    verified.size(),
                    left.size(),
                    null,
                    "a checkpoint between the sizes " + verified.size() + " and " + checkpoint.size()
                            + " is missing or out of order");
        }
        if (!checkpoint.root().equals(edge.root())) {
            return new Finding(
                    Finding.Kind.CHANGED,
                    verified.size(),
                    edge.size() - 1,
                    null,
                    "one of the records was changed with its mark: the root of the checkpoint at " + edge.size()
                            + " is another");
        }
        verified = edge;
        checkpoints++;
        return null;
    }
}
