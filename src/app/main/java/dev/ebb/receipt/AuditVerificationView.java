package dev.ebb.receipt;

import dev.ebb.domain.receipt.Finding;
import org.jspecify.annotations.Nullable;

/**
 * Result of the comparison of a part of the audit with its checkpoints.
 *
 * @param tree name of the tree: a partition, or policies
 * @param from number of the first leaf that was compared
 * @param size number of leaves at the last checkpoint that agreed
 * @param open number of records behind that checkpoint, which wait for a checkpoint and are not proved yet
 * @param checkpoints number of checkpoints that agreed
 * @param signed number of these checkpoints that bear a signature of a named key
 * @param unsigned number of these checkpoints that bear no signature
 * @param checkpoint note of the last checkpoint that agreed, to be kept for a later comparison
 * @param finding the first fault; null if there is none
 * @param next the value of {@code after} for the next request; null at the end
 */
public record AuditVerificationView(
        String tree,
        long from,
        long size,
        long open,
        long checkpoints,
        long signed,
        long unsigned,
        @Nullable String checkpoint,
        @Nullable FindingView finding,
        @Nullable String next) {

    /**
     * A fault.
     *
     * @param kind CHANGED, DROPPED, INSERTED or CHECKPOINT
     * @param first number of the faulty leaf, or of the first possible one
     * @param last number of the last possible leaf
     * @param offset the record on the audit topic; null if there is none
     */
    public record FindingView(
            String kind, long first, long last, @Nullable Long offset, String detail) {

        public static FindingView of(Finding finding) {
            return new FindingView(
                    finding.kind().name(), finding.first(), finding.last(), finding.offset(), finding.detail());
        }
    }
}
