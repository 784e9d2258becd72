package dev.ebb.domain.receipt;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The public half of a key of signed notes: {@code name+id+base64}, with Ed25519. Lines {@code until ORIGIN SIZE} may
 * follow, which end the key: it then vouches for no bigger tree of that origin, and for no tree of another one.
 * Immutable.
 */
public final class VerifierKey {

    static final byte ED25519 = 1;

    private static final Pattern TEXT = Pattern.compile("(?<name>[^+]+)\\+(?<id>[0-9a-f]{8})\\+(?<key>.+)");
    private static final Pattern END = Pattern.compile("until (?<origin>[^ ,]+) (?<size>0|[1-9][0-9]{0,17})");
    private static final byte[] X509 = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final int KEY_BYTES = 33;

    private final KeyName name;
    private final String text;
    private final PublicKey key;
    private final Map<String, Long> ends;

    private VerifierKey(KeyName name, String text, PublicKey key, Map<String, Long> ends) {
        this.name = name;
        this.text = text;
        this.key = key;
        this.ends = new TreeMap<>(ends);
    }

    /**
     * Returns the key of a text.
     *
     * @throws IllegalArgumentException if the text is not a key
     */
    public static VerifierKey parse(String text) {
        List<String> lines = text.strip().lines().map(String::strip).toList();
        VerifierKey key = ofLine(lines.isEmpty() ? "" : lines.get(0));
        Map<String, Long> ends = new TreeMap<>();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            Matcher end = END.matcher(line);
            if (!end.matches()) {
                throw new IllegalArgumentException("a line behind a public key must be: until ORIGIN SIZE");
            }
            // An end that was written twice is the earlier one: a thief may have signed between the two.
            ends.merge(end.group("origin"), Long.valueOf(end.group("size")), Math::min);
        }
        return new VerifierKey(key.name, String.join("\n", lines), key.key, ends);
    }

    private static VerifierKey ofLine(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("a public key is name+id+base64");
        }
        byte[] raw = Base64.getDecoder().decode(parts.group("key"));
        VerifierKey key = of(parts.group("name"), raw);
        if (!key.name.id().equals(parts.group("id"))) {
            throw new IllegalArgumentException("the id of the public key is not that of its bytes");
        }
        return key;
    }

    /** @param raw the byte of the algorithm, and the 32 bytes of the key */
    static VerifierKey of(String name, byte[] raw) {
        if (raw.length != KEY_BYTES || raw[0] != ED25519) {
            throw new IllegalArgumentException("a public key is one of Ed25519, 32 bytes behind the byte 1");
        }
        KeyName identity = KeyName.ofKey(name, raw);
        try {
            byte[] encoded = Arrays.copyOf(X509, X509.length + raw.length - 1);
            System.arraycopy(raw, 1, encoded, X509.length, raw.length - 1);
            PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded));
            return new VerifierKey(identity, identity + "+" + SignedNote.Signature.base64(raw), key, Map.of());
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the public key is none of Ed25519", e);
        }
    }

    /** Returns the identity of the key. */
    public KeyName name() {
        return name;
    }

    /** Returns true if the note has a signature of this key, and every signature of this key is valid. */
    public boolean hasSigned(SignedNote note) {
        var own = note.signatures().stream().filter(signature -> signature.key().equals(name));
        return own.map(signature -> isRight(note.text(), signature.raw()))
                .reduce(Boolean::logicalAnd)
                .orElse(false);
    }

    /** Returns true if this key has signed the note of a checkpoint, which lies within its time. */
    public boolean vouchesFor(SignedNote note, Checkpoint checkpoint) {
        long end = ends.getOrDefault(checkpoint.origin(), ends.isEmpty() ? Long.MAX_VALUE : 0L);
        return checkpoint.size() <= end && hasSigned(note);
    }

    private boolean isRight(String text, byte[] signature) {
        try {
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(key);
            verifier.update(text.getBytes(StandardCharsets.UTF_8));
            return verifier.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    /** Returns the key as a text, with the lines that end it. */
    @Override
    public String toString() {
        return text;
    }
}
