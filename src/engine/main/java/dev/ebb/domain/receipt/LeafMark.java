package dev.ebb.domain.receipt;

/**
 * The place of an audit record in its tree, which travels with the record. Everything in it can be recomputed: the mark
 * makes a record easy to find, and identifies a wrong record.
 *
 * @param tree the name of the tree within the application
 * @param index the number of the leaf, from 0
 * @param hash the hash of the leaf
 */
public record LeafMark(String tree, long index, Hash hash) {

    private static final int PARTS = 3;

    /**
     * Returns the mark of a text.
     *
     * @throws IllegalArgumentException if the text is not a mark
     */
    public static LeafMark parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != PARTS) {
            throw new IllegalArgumentException("the mark of a leaf is tree, index and hash");
        }
        return new LeafMark(parts[0], Long.parseLong(parts[1]), Hash.parse(parts[2]));
    }

    @Override
    public String toString() {
        return tree + " " + index + " " + hash;
    }
}
