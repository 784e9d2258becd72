package dev.ebb.serde.lines;

import dev.ebb.domain.Unicode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Splits bytes into lines at each line feed, and keeps at most {@link #MAX_BYTES} bytes of a line in memory. Not
 * thread-safe.
 */
final class LineReader implements AutoCloseable {

    static final int MAX_BYTES = 64 << 20;

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(1024);
    private int position;
    private int limit;
    private boolean isTooLong;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Moves to the next line; returns false at the end. */
    boolean advance() throws IOException {
        line.reset();
        isTooLong = false;
        if (!fill()) {
            return false;
        }
        while (!takeUntilLineFeed() && fill()) {
            // The line continues in the next buffer.
        }
        return true;
    }

    /** Returns true if the line is longer than {@link #MAX_BYTES}; then only its beginning is kept. */
    boolean isTooLong() {
        return isTooLong;
    }

    /** Returns the line without its line feed; empty if it is not valid UTF-8. */
    Optional<String> text() {
        byte[] bytes = line.toByteArray();
        return Unicode.decode(bytes, 0, bytes.length);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    /** Returns true if there is any input left. */
    private boolean fill() throws IOException {
        if (position == limit) {
            position = 0;
            limit = Math.max(0, in.read(buffer));
        }
        return position < limit;
    }

    /** Returns true if the line ended in this buffer. */
    private boolean takeUntilLineFeed() {
        int end = position;
        while (end < limit && buffer[end] != '\n') {
            end++;
        }
        int length = end - position;
        isTooLong |= line.size() + length > MAX_BYTES;
        if (!isTooLong) {
            line.write(buffer, position, length);
        }
        boolean isEnded = end < limit;
        position = isEnded ? end + 1 : end;
        return isEnded;
    }
}
