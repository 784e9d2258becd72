package dev.ebb.domain.receipt;

import java.util.List;

/**
 * Audit records with the proof that each is part of a tree (T-9).
 *
 * @param checkpoints the checkpoints of the trees
 * @param records the records, each with a proof for the tree of one checkpoint
 */
public record Receipt(List<SignedNote> checkpoints, List<Proven> records) {

    public Receipt {
        checkpoints = List.copyOf(checkpoints);
        records = List.copyOf(records);
    }

    /**
     * A record with its proof.
     *
     * @param checkpoint the index of its checkpoint in the list
     * @param index the number of its leaf
     * @param value the record as it is on the topic
     * @param proof the hashes beside the path from the leaf to the root
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Proven(int checkpoint, long index, byte[] value, List<Hash> proof) {}
}
