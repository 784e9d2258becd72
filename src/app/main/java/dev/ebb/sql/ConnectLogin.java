package dev.ebb.sql;

import dev.ebb.files.TrustedFile;
import dev.ebb.files.UnsafeFileException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

/**
 * A secret that Connect, or the proxy before it, asks for. The file is read for each request, so that a new secret needs
 * no restart. Prints no secret.
 *
 * @param scheme the form of the secret
 * @param file the file of the secret, in one line
 */
public record ConnectLogin(Scheme scheme, Path file) {

    private static final int MAX_BYTES = 64 << 10;

    /** Forms of a secret in the header {@code Authorization}. */
    public enum Scheme {
        /** {@code user:password}. */
        BASIC("Basic "),
        /** A token. */
        BEARER("Bearer ");

        private final String prefix;

        Scheme(String prefix) {
            this.prefix = prefix;
        }
    }

    /**
     * Returns the value of the header {@code Authorization}.
     *
     * @throws IOException if the file cannot be used; the message names it, and repeats nothing of it
     */
    String header() throws IOException {
        String secret = secret();
        if (scheme == Scheme.BASIC && secret.indexOf(':') < 1) {
            throw new IOException(file + " must hold user:password, as connect.auth=basic asks for");
        }
        return scheme.prefix
                + (scheme == Scheme.BASIC
                        ? Base64.getEncoder().encodeToString(secret.getBytes(StandardCharsets.UTF_8))
                        : secret);
    }

    private String secret() throws IOException {
        try {
            TrustedFile.checkSecret(file, "file of connect.auth.file");
            String text =
                    Files.size(file) > MAX_BYTES ? "" : Files.readString(file).strip();
            if (!text.isEmpty() && text.lines().count() == 1) {
                return text;
            }
        } catch (UnsafeFileException e) {
            throw new IOException(e.getMessage(), e);
        } catch (IOException e) {
            throw new IOException("the file of connect.auth.file, " + file + ", cannot be read", e);
        }
        throw new IOException("the file of connect.auth.file, " + file + ", must hold one line");
    }

    @Override
    public String toString() {
        return "ConnectLogin[" + scheme + ", " + file + "]";
    }
}
