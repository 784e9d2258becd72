package dev.ebb.api.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/**
 * A file of the console as it is served. Immutable; the arrays must not be changed.
 *
 * @param plain the bytes of the file
 * @param gzip the same bytes, compressed
 * @param tag the ETag, derived from the bytes; the compressed form has another one
 */
record ConsoleFile(String name, String mediaType, byte[] plain, byte[] gzip, String tag) {

    private static final int TAG_BYTES = 12;
    private static final Map<String, String> MEDIA_TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "svg", "image/svg+xml");

    static ConsoleFile of(String name, byte[] plain) {
        String type = MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (type == null) {
            throw new IllegalArgumentException("no media type is known for " + name);
        }
        return new ConsoleFile(name, type, plain, compressed(plain), '"' + digest(plain) + '"');
    }

    /** Returns the ETag of the compressed form. */
    String gzipTag() {
        return tag.substring(0, tag.length() - 1) + "-gzip\"";
    }

    /** Returns the first bytes of the SHA-256 of the bytes, in hexadecimal. */
    static String digest(byte[] bytes) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] compressed(byte[] plain) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
