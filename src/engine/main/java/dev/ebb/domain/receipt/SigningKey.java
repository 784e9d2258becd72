package dev.ebb.domain.receipt;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The private half of a key of signed notes, with Ed25519, in the text form that transparency logs use. The text is the
 * secret itself, and only {@link #secret} shows it. Immutable and thread-safe.
 */
public final class SigningKey implements NoteSigner {

    private static final Pattern TEXT =
            Pattern.compile("PRIVATE\\+KEY\\+(?<name>[^+]+)\\+(?<id>[0-9a-f]{8})\\+(?<key>.+)");
    private static final byte[] PKCS8 = HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final int KEY_BYTES = 33;

    private final KeyName name;
    private final byte[] raw;
    private final PrivateKey key;

    private SigningKey(KeyName name, byte[] raw) {
        this.name = name;
        this.raw = raw;
        this.key = privateKey(raw);
    }

    /**
     * Returns the key of a text.
     *
     * @throws IllegalArgumentException if the text is not a key; the message does not show the text
     */
    public static SigningKey parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("a private key is PRIVATE+KEY+name+id+base64");
        }
        KeyName name = new KeyName(parts.group("name"), parts.group("id"));
        return new SigningKey(name, Base64.getDecoder().decode(parts.group("key")));
    }

    /** Makes a new key with the given name. */
    public static Pair generate(String name) {
        try {
            KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
            VerifierKey verifier = VerifierKey.of(name, raw(pair.getPublic().getEncoded()));
            return new Pair(
                    new SigningKey(verifier.name(), raw(pair.getPrivate().getEncoded())), verifier);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has Ed25519", e);
        }
    }

    /** Returns the byte of the algorithm and the last 32 bytes of the encoded key. */
    private static byte[] raw(byte[] encoded) {
        byte[] raw = Arrays.copyOfRange(encoded, encoded.length - KEY_BYTES, encoded.length);
        raw[0] = VerifierKey.ED25519;
        return raw;
    }

    private static PrivateKey privateKey(byte[] raw) {
        if (raw.length != KEY_BYTES || raw[0] != VerifierKey.ED25519) {
            throw new IllegalArgumentException("a private key is one of Ed25519, 32 bytes behind the byte 1");
        }
        try {
            byte[] encoded = Arrays.copyOf(PKCS8, PKCS8.length + raw.length - 1);
            System.arraycopy(raw, 1, encoded, PKCS8.length, raw.length - 1);
            return KeyFactory.getInstance("Ed25519").generatePrivate(new PKCS8EncodedKeySpec(encoded));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("the private key is none of Ed25519", e);
        }
    }

    @Override
    public SignedNote sign(String text) {
        try {
            Signature signer = Signature.getInstance("Ed25519");
            signer.initSign(key);
            signer.update(text.getBytes(StandardCharsets.UTF_8));
            String signature = SignedNote.Signature.base64(signer.sign());
            return new SignedNote(text, List.of(new SignedNote.Signature(name, signature)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the key of the receipts cannot sign", e);
        }
    }

    /** Returns the identity of the key. */
    public KeyName name() {
        return name;
    }

    /** Returns the text for the file of the key. */
    public String secret() {
        return "PRIVATE+KEY+" + name + "+" + SignedNote.Signature.base64(raw);
    }

    /** Both halves of a new key. */
    public record Pair(SigningKey signing, VerifierKey verifying) {}
}
