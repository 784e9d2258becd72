package dev.ebb.domain.receipt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The right edge of a Merkle tree: the roots of the full subtrees that hold its leaves, biggest first. The edge
 * suffices to compute the root of the tree and of every later one, and grows with the logarithm of the tree. Immutable.
 *
 * @param size number of leaves; each set bit stands for one full subtree
 * @param roots the roots of the full subtrees
 */
public record RightEdge(long size, List<Hash> roots) {

    /** The edge of the tree without leaves. */
    public static final RightEdge EMPTY = new RightEdge(0, List.of());

    public RightEdge {
        roots = List.copyOf(roots);
        if (size < 0 || Long.bitCount(size) != roots.size()) {
            throw new IllegalArgumentException(
                    "a tree of " + size + " leaves has no edge of " + roots.size() + " subtrees");
        }
    }

    /** Returns the edge with one more leaf. */
    public RightEdge with(Hash leaf) {
        List<Hash> next = new ArrayList<>(roots);
        Hash last = leaf;
        for (long full = size; (full & 1) == 1; full >>= 1) {
            last = Hash.ofNode(next.remove(next.size() - 1), last);
        }
        next.add(last);
        return new RightEdge(size + 1, next);
    }

    /** Returns the root of the tree. */
    public Hash root() {
        if (roots.isEmpty()) {
            return Hash.OF_NOTHING;
        }
        Hash root = roots.get(roots.size() - 1);
        for (int i = roots.size() - 2; i >= 0; i--) {
            root = Hash.ofNode(roots.get(i), root);
        }
        return root;
    }

    /**
     * Returns the edge of a text.
     *
     * @throws IllegalArgumentException if the text is not one that {@link #toString} wrote
     */
    public static RightEdge parse(String text) {
        String[] parts = text.split(" ", -1);
        return new RightEdge(
                Long.parseLong(parts[0]),
                Arrays.stream(parts).skip(1).map(Hash::parse).toList());
    }

    /** Returns the size and the hashes in base64, with blanks between them. */
    @Override
    public String toString() {
        return size + roots.stream().map(root -> " " + root).collect(Collectors.joining());
    }
}
