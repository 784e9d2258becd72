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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The public half of a key of signed notes: {@code name+id+base64}, with Ed25519. Immutable. */
public final class VerifierKey {

    static final byte ED25519 = 1;

    private static final Pattern TEXT = Pattern.compile("(?<name>[^+]+)\\+(?<id>[0-9a-f]{8})\\+(?<key>.+)");
    private static final byte[] X509 = HexFormat.of().parseHex("302a300506032b6570032100");
    private static final int KEY_BYTES = 33;

    private final KeyName name;
    private final String text;
    private final PublicKey key;

    private VerifierKey(KeyName name, String text, PublicKey key) {
        this.name = name;
        this.text = text;
        this.key = key;
    }

    /**
     * Returns the key of a text.
     *
     * @throws IllegalArgumentException if the text is not a key
     */
    public static VerifierKey parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
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
            return new VerifierKey(identity, identity + "+" + SignedNote.Signature.base64(raw), key);
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

    /** Returns the key as a text. */
    @Override
    public String toString() {
        return text;
    }
}
