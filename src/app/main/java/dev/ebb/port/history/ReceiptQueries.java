package dev.ebb.port.history;

import dev.ebb.domain.receipt.Checkpoint;
import dev.ebb.domain.receipt.Finding;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.VerifierKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Proofs from the audit and its checkpoints (T-9). Thread-safe. Every method throws {@code NotReadyException} rather
 * than answer from a part of the audit.
 */
public interface ReceiptQueries {

    /**
     * Returns a part of the receipt of the audit records that match; without records if there are none.
     *
     * @param event only records that name the event; null for all
     * @param after the cursor of the previous part; null to begin
     * @throws RefusedReceiptException if the audit does not agree with its checkpoints
     */
    Part receipt(AuditQueries.AuditFilter filter, @Nullable String event, @Nullable String after);

    /**
     * Part of a receipt.
     *
     * @param part its number, from 1
     * @param parts number of all parts
     * @param next the cursor of the next part; null if this is the last one
     */
    record Part(
            Receipt receipt, int part, int parts, @Nullable String next) {

        /** Returns the only part of a receipt. */
        public static Part only(Receipt receipt) {
            return new Part(receipt, 1, 1, null);
        }
    }

    /**
     * Reads a part of the audit again, tree by tree, and compares it with its checkpoints.
     *
     * @param keys keys whose signatures are expected; signatures of other keys are counted
     * @param known a checkpoint that the caller has kept; null to begin with the oldest part of the audit that is left
     * @param after the cursor of the previous part; null to begin
     */
    Verified verify(List<VerifierKey> keys, @Nullable Checkpoint known, @Nullable String after);

    /**
     * Result for a part of a tree.
     *
     * @param tree name of the tree
     * @param from number of the first leaf that was compared
     * @param size number of leaves at the last checkpoint that agreed
     * @param open number of records behind that checkpoint, which no checkpoint covers so far; 0 if the tree continues
     *     in the next part
     * @param checkpoints number of checkpoints that agreed
     * @param signed number of these checkpoints that one of the keys has signed
     * @param unsigned number of these checkpoints that no key has signed; other keys have signed the rest
     * @param checkpoint note of the last checkpoint that agreed; null if there is none
     * @param finding the first fault; null if there is none. No further part of the tree follows a fault
     * @param next the cursor of the next part; null if this was the last one
     */
    record Verified(
            String tree,
            long from,
            long size,
            long open,
            long checkpoints,
            long signed,
            long unsigned,
            @Nullable String checkpoint,
            @Nullable Finding finding,
            @Nullable String next) {

        /** Returns this part, marked as beginning behind that checkpoint of the caller. */
        public Verified from(String note) {
            return new Verified(tree, from, size, open, 1, signed, unsigned, note, finding, next);
        }
    }

    /** Signals that no receipt can be made. */
    final class RefusedReceiptException extends RuntimeException {

        public RefusedReceiptException(String message) {
            super(message);
        }
    }
}
