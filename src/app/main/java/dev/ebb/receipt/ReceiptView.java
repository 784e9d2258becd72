package dev.ebb.receipt;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.domain.receipt.Hash;
import dev.ebb.domain.receipt.Receipt;
import dev.ebb.domain.receipt.SignedNote;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a receipt as it is written to a file; {@code docs/receipts/README.md} describes its verification.
 *
 * @param format the format of the file
 * @param of the question that the receipt answers, equal in all parts
 * @param part its number, from 1
 * @param parts number of all parts
 * @param next the value of {@code after} for the next part; left out of the last part, and of files
 */
public record ReceiptView(
        String format,
        SubjectView of,
        int part,
        int parts,
        List<NoteView> checkpoints,
        List<ProvenView> records,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String next) {

    private static final String FORMAT = "ebb-receipt/1";

    public static ReceiptView of(SubjectView of, Receipt receipt, int part, int parts, @Nullable String next) {
        return new ReceiptView(
                FORMAT,
                of,
                part,
                parts,
                receipt.checkpoints().stream().map(NoteView::of).toList(),
                receipt.records().stream().map(ProvenView::of).toList(),
                next);
    }

    /**
     * Deletes that a receipt is about; null takes all of them.
     *
     * @param stream only deletes from this stream
     * @param event only records that name an event with this id
     * @param command only deletes by this command
     * @param sweep only deletes by this sweep
     * @param from only deletes from this time on
     * @param to only deletes up to this time
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record SubjectView(
            @Nullable String stream,
            @Nullable String event,
            @Nullable String command,
            @Nullable String sweep,
            @Nullable Instant from,
            @Nullable Instant to) {}

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
