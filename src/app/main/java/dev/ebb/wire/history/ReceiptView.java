package dev.ebb.wire.history;

import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.SignedNote;
import java.util.Base64;
import java.util.List;

/**
 * A receipt as it is written to a file; {@code docs/receipts/README.md} describes its verification.
 *
 * @param format the format of the file
 */
public record ReceiptView(String format, List<NoteView> checkpoints, List<ProvenView> records) {

    private static final String FORMAT = "ebb-receipt/1";

    public static ReceiptView of(Receipt receipt) {
        return new ReceiptView(
                FORMAT,
                receipt.checkpoints().stream().map(NoteView::of).toList(),
                receipt.records().stream().map(ProvenView::of).toList());
    }

    /**
     * A checkpoint.
     *
     * @param note the signed note
     * @param keys identities of the keys that have signed the note; empty if there was no key
     */
    public record NoteView(String note, List<String> keys) {

        static NoteView of(SignedNote note) {
            return new NoteView(
                    note.toString(),
                    note.signatures().stream()
                            .map(signature -> signature.key().toString())
                            .toList());
        }
    }

    /**
     * An audit record with its proof.
     *
     * @param checkpoint index of its checkpoint, from 0
     * @param index number of its leaf, from 0
     * @param value the value of the record on the audit topic, in base64
     * @param proof the sibling hashes on the way to the root, lowest first, in base64
     */
    public record ProvenView(int checkpoint, long index, String value, List<String> proof) {

        static ProvenView of(Receipt.Proven proven) {
            return new ProvenView(
                    proven.checkpoint(),
                    proven.index(),
                    Base64.getEncoder().encodeToString(proven.value()),
                    proven.proof().stream().map(Hash::toString).toList());
        }
    }
}
