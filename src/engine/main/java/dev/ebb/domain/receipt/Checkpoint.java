package dev.ebb.domain.receipt;

/**
 * The state of a tree at one time, as transparency logs write it (C2SP tlog-checkpoint).
 *
 * @param origin the name of the tree, unique in the world if possible
 * @param size number of its leaves
 * @param root its root
 */
public record Checkpoint(String origin, long size, Hash root) {

    private static final int LINES = 3;

    /** Returns the text of the note: three lines. */
    public String text() {
        return origin + "\n" + size + "\n" + root + "\n";
    }

    /**
     * Returns the checkpoint of a text; further lines are ignored.
     *
     * @throws IllegalArgumentException if the text is not a checkpoint
     */
    public static Checkpoint parse(String text) {
        String[] lines = text.split("\n", -1);
        if (lines.length <= LINES || lines[0].isEmpty() || !lines[1].matches("0|[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException("a checkpoint has the lines origin, size and root hash");
        }
        return new Checkpoint(lines[0], Long.parseLong(lines[1]), Hash.parse(lines[2]));
    }
}
