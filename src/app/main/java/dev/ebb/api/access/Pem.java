package dev.ebb.api.access;

import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates and keys in PEM, in the forms that openssl, ACME clients and cert-manager write. Stateless. */
public final class Pem {

    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    /** Signature algorithms by key algorithm, where the two names differ. */
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "EdDSA", "Ed25519");

    private static final byte[] SAMPLE = {1};

    private Pem() {}

    /**
     * Returns the TLS context of a client that trusts these certificates and no others.
     *
     * @throws UnusableFileException if the file cannot be used; the message says why
     */
    public static SSLContext trusting(Path certificates) {
        try {
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted(certificates));
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(null, trust.getTrustManagers(), null);
            return tls;
        } catch (GeneralSecurityException e) {
            throw new UnusableFileException("the certificates in " + certificates + " cannot be used", e);
        }
    }

    /**
     * Returns a store in memory with the trusted certificates.
     *
     * @throws UnusableFileException if the file cannot be used; the message says why
     */
    public static KeyStore trusted(Path certificates) {
        try {
            KeyStore store = empty();
            int number = 0;
            for (Certificate certificate : certificates(certificates)) {
                store.setCertificateEntry("ca-" + number++, certificate);
            }
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException("the certificates in " + certificates + " cannot be used", e);
        }
    }

    /**
     * Returns a store in memory with a key and the chain of its certificate, its own certificate first.
     *
     * @throws UnusableFileException if one of the files cannot be used; the message says which and why
     */
    public static KeyStore identity(Path certificates, Path key) {
        Certificate[] chain = certificates(certificates).toArray(new Certificate[0]);
        PrivateKey secret = key(key);
        try {
            requirePair(chain[0], secret);
            KeyStore store = empty();
            store.setKeyEntry("api", secret, new char[0], chain);
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new UnusableFileException("the key in " + key + " does not match " + certificates, e);
        }
    }

    /** Checks that the certificate verifies a signature made with the key. */
    private static void requirePair(Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        String algorithm = SIGNATURES.getOrDefault(key.getAlgorithm(), key.getAlgorithm());
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(SAMPLE);
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(certificate.getPublicKey());
        checking.update(SAMPLE);
        if (!checking.verify(signing.sign())) {
            throw new GeneralSecurityException("the key does not belong to the certificate");
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    private static Collection<? extends Certificate> certificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            Collection<? extends Certificate> found =
                    CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (!found.isEmpty()) {
                return found;
            }
        } catch (IOException e) {
            throw new UnusableFileException("the file of certificates " + file + " cannot be read", e);
        } catch (CertificateException e) {
            throw new UnusableFileException(file + " has text that is not a certificate in PEM", e);
        }
        throw new UnusableFileException(file + " holds no certificate in PEM");
    }

    static PrivateKey key(Path file) {
        Matcher matcher = KEY.matcher(keyText(file));
        if (!matcher.find()) {
            throw new UnusableFileException(file + " holds no unencrypted key in PKCS#8 (-----BEGIN PRIVATE KEY-----);"
                    + " 'openssl pkcs8 -topk8 -nocrypt -in OLD -out NEW' makes one");
        }
        byte[] bytes = Base64.getMimeDecoder().decode(matcher.group(1));
        return ALGORITHMS.stream()
                .flatMap(algorithm -> key(algorithm, bytes).stream())
                .findFirst()
                .orElseThrow(() -> new UnusableFileException(
                        "the key in " + file + " is none of " + String.join(", ", ALGORITHMS)));
    }

    private static String keyText(Path file) {
        try {
            TrustedFile.checkSecret(file, "file of the key");
            return Files.readString(file, StandardCharsets.US_ASCII);
        } catch (UnsafeFileException e) {
            throw new UnusableFileException(String.valueOf(e.getMessage()), e);
        } catch (IOException e) {
            throw new UnusableFileException("the file of the key " + file + " cannot be read", e);
        }
    }

    /** Returns the key; empty if it is a key of another algorithm. */
    private static Optional<PrivateKey> key(String algorithm, byte[] bytes) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes)));
        } catch (InvalidKeySpecException e) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
