package dev.ebb.receipt;

import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.receipt.RightEdge;
import dev.ebb.domain.receipt.TreeName;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Place at which a verification continues, as text that is opaque to its reader.
 *
 * @param tree the tree
 * @param hasBegun false if records in front of the edge may still follow, which are skipped
 * @param auditOffset the offset of the next audit record
 * @param checkpointOffset the offset of the next checkpoint
 * @param edge the edge of the part of the tree that has been compared
 */
record VerifyCursor(TreeName tree, boolean hasBegun, long auditOffset, long checkpointOffset, RightEdge edge) {

    private static final int PARTS = 5;

    static VerifyCursor beginOf(TreeName tree) {
        return new VerifyCursor(tree, false, 0, 0, RightEdge.EMPTY);
    }

    String write() {
        String text =
                String.join("|", tree.value(), Boolean.toString(hasBegun), "" + auditOffset, "" + checkpointOffset)
                        + "|" + edge;
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** @throws BadCursorException if the text is no such cursor */
    static VerifyCursor read(String cursor) {
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
            String[] parts = text.split("\\|", -1);
            if (parts.length != PARTS) {
                throw new BadCursorException();
            }
            return new VerifyCursor(
                    new TreeName(parts[0]),
                    Boolean.parseBoolean(parts[1]),
                    Long.parseLong(parts[2]),
                    Long.parseLong(parts[3]),
                    RightEdge.parse(parts[4]));
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }
}
