package dev.ebb.domain.receipt;

/**
 * State of a tree at one time, as transparency logs write it (C2SP tlog-checkpoint).
 *
 * @param origin names the tree, among all trees of the world if possible
 * @param size number of its leaves
 * @param root its root
 */
public record Checkpoint(String origin, long size, Hash root) {

    private static final int LINES = 3;

    /** The text of the note: three lines. */
    public String text() {
        return origin + "\n" + size + "\n" + root + "\n";
    }

    /**
     * The checkpoint with that text; further lines are left alone.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Checkpoint parse(String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length <= LINES || lines[0].isEmpty() || !lines[1].matches("0|[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException("a checkpoint has the lines origin, size and root hash");
        }
        return new Checkpoint(lines[0], Long.parseLong(lines[1]), Hash.parse(lines[2]));
    }
}
