package dev.ebb.domain.receipt;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A text with signatures (C2SP signed-note). A note that no key has signed is a plain text followed by an empty line.
 *
 * @param text ends with a line break
 * @param signatures the readable signatures; those of other algorithms as well
 */
public record SignedNote(String text, List<Signature> signatures) {

    private static final String SIGNATURE = "\u2014 ";

    public SignedNote {
        signatures = List.copyOf(signatures);
    }

    /**
     * Returns the note of a text.
     *
     * @throws IllegalArgumentException if the text is not a note
     */
    public static SignedNote parse(String note) {
        int end = note.lastIndexOf("\n\n");
        if (end < 0) {
            throw new IllegalArgumentException("a note has an empty line in front of its signatures");
        }
        List<Signature> signatures = new ArrayList<>();
        note.substring(end + 2).lines().map(Signature::parse).forEach(signatures::add);
        return new SignedNote(note.substring(0, end + 1), signatures);
    }

    /** Returns the whole note. */
    @Override
    public String toString() {
        StringBuilder note = new StringBuilder(text).append('\n');
        signatures.forEach(signature -> note.append(signature).append('\n'));
        return note.toString();
    }

    /**
     * A signature.
     *
     * @param key the key that made it
     * @param bytes the signature itself, in base64
     */
    public record Signature(KeyName key, String bytes) {

        static Signature parse(String line) {
            String[] parts = line.split(" ", -1);
            if (parts.length != 3 || !line.startsWith(SIGNATURE)) {
                throw new IllegalArgumentException("a signature of a note is a dash, the name of a key, and base64");
            }
            byte[] raw = Base64.getDecoder().decode(parts[2]);
            return new Signature(KeyName.of(parts[1], raw), base64(KeyName.withoutId(raw)));
        }

        byte[] raw() {
            return Base64.getDecoder().decode(bytes);
        }

        static String base64(byte[] raw) {
            return Base64.getEncoder().encodeToString(raw);
        }

        @Override
        public String toString() {
            return SIGNATURE + key.name() + " " + base64(key.before(raw()));
        }
    }
}
