package dev.ebb.domain.receipt;

/**
 * Place of an audit record in its tree, which travels with the record. It says nothing that cannot be recomputed: it
 * makes a record easy to find, and names the one that is wrong.
 *
 * @param tree name of the tree among those of the application
 * @param index number of the leaf, from 0
 * @param hash hash of the leaf
 */
public record LeafMark(String tree, long index, Hash hash) {

    private static final int PARTS = 3;

    /**
     * Reads a mark.
     *
     * @throws IllegalArgumentException if the text is none
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
