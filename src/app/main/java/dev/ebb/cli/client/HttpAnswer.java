package dev.ebb.cli.client;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An answer of HTTP/1.1.
 *
 * @param status the status code; {@link #FOREIGN} if the other side speaks another protocol
 * @param body the text of the body; empty if there is none
 */
record HttpAnswer(int status, String body) {

    static final int FOREIGN = -1;

    private static final int MAX_LINE = 1 << 16;
    private static final int MAX_HEADERS = 1000;
    private static final int OK = 200;
    private static final int NO_CONTENT = 204;
    private static final int NOT_MODIFIED = 304;
    private static final int HEX = 16;

    /** @throws IOException if the answer breaks off, or does not follow the protocol */
    static HttpAnswer read(InputStream in) throws IOException {
        int status;
        Map<String, String> headers;
        do {
            String first = line(in);
            if (!first.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
                return new HttpAnswer(FOREIGN, first);
            }
            status = Integer.parseInt(first.split(" ", 3)[1]);
            headers = headers(in);
            // Lower codes announce that the answer is still to come.
        } while (status < OK);
        return new HttpAnswer(status, new String(body(in, status, headers), StandardCharsets.UTF_8));
    }

    private static Map<String, String> headers(InputStream in) throws IOException {
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            if (colon < 1 || headers.size() > MAX_HEADERS) {
                throw new IOException("the head of the answer cannot be read");
            }
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        return headers;
    }

    private static byte[] body(InputStream in, int status, Map<String, String> headers) throws IOException {
        if (status == NO_CONTENT || status == NOT_MODIFIED) {
            return new byte[0];
        }
        if (headers.getOrDefault("transfer-encoding", "")
                .toLowerCase(Locale.ROOT)
                .endsWith("chunked")) {
            return chunks(in);
        }
        String length = headers.get("content-length");
        return length == null ? in.readAllBytes() : exactly(in, number(length, 10));
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int length = chunkLength(in); length > 0; length = chunkLength(in)) {
            all.writeBytes(exactly(in, length));
            line(in);
        }
        headers(in);
        return all.toByteArray();
    }

    /** Returns the length of a chunk; extensions may follow the number. */
    private static int chunkLength(InputStream in) throws IOException {
        return number(line(in).split(";", 2)[0].strip(), HEX);
    }

    private static byte[] exactly(InputStream in, int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the answer breaks off");
        }
        return bytes;
    }

    private static int number(String text, int radix) throws IOException {
        try {
            int number = Integer.parseInt(text, radix);
            if (number >= 0) {
                return number;
            }
            throw new IOException("the length of the answer is " + text);
        } catch (NumberFormatException e) {
            throw new IOException("the length of the answer cannot be read: " + text, e);
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = in.read();
        while (next >= 0 && next != '\n' && line.length() < MAX_LINE) {
            line.append((char) next);
            next = in.read();
        }
        if (next < 0 && line.isEmpty()) {
            throw new EOFException("the connection was closed without an answer");
        }
        boolean hasReturn = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
        return hasReturn ? line.substring(0, line.length() - 1) : line.toString();
    }
}
