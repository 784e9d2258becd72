package dev.ebb.domain.receipt;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A Merkle tree whose first leaves are known by their right edge alone. The edge suffices to prove every leaf after it,
 * so a proof needs only the audit records between two checkpoints. Not thread-safe.
 */
public final class TreeSection {

    private final long size;
    private final Map<Range, Hash> known = new HashMap<>();

    /**
     * @param left the edge of the first leaves
     * @param leaves the leaves after the edge
     */
    public TreeSection(RightEdge left, List<Hash> leaves) {
        this.size = left.size() + leaves.size();
        long from = 0;
        for (Hash root : left.roots()) {
            long length = Long.highestOneBit(left.size() - from);
            known.put(new Range(from, from + length), root);
            from += length;
        }
        for (Hash leaf : leaves) {
            known.put(new Range(from, ++from), leaf);
        }
    }

    /** Returns the root of the whole tree. */
    public Hash root() {
        return size == 0 ? Hash.OF_NOTHING : hash(new Range(0, size));
    }

    /**
     * Returns the proof that the leaf is in the tree (RFC 9162, section 2.1.3.1): the hashes beside its path to the
     * root, lowest first.
     *
     * @param index the number of a leaf after the left edge, from 0
     */
    public List<Hash> inclusionProof(long index) {
        List<Hash> proof = new ArrayList<>();
        Range range = new Range(0, size);
        while (range.length() > 1) {
            boolean isLeft = index < range.split();
            proof.add(0, hash(isLeft ? range.right() : range.left()));
            range = isLeft ? range.left() : range.right();
        }
        return proof;
    }

    private Hash hash(Range range) {
        Hash found = known.get(range);
        if (found == null) {
            if (range.length() == 1) {
                throw new IllegalArgumentException("the leaf " + range.from() + " is in front of the left edge");
            }
            found = Hash.ofNode(hash(range.left()), hash(range.right()));
            known.put(range, found);
        }
        return found;
    }

    /** The leaves of a subtree. */
    private record Range(long from, long to) {

        long length() {
            return to - from;
        }

        /**
         * Returns the end of the left part, whose length is the greatest power of two that is less than the whole
         * length.
         */
        long split() {
            return from + Long.highestOneBit(length() - 1);
        }

        Range left() {
            return new Range(from, split());
        }

        Range right() {
            return new Range(split(), to);
        }
    }
}
