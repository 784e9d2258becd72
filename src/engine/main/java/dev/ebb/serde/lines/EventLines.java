package dev.ebb.serde.lines;

import dev.ebb.serde.json.Defaults;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * The events of a file, one JSON object per line, read on demand. Blank lines are skipped. Compression with gzip is
 * detected from the content. Not thread-safe, except for {@link #bytesRead()}.
 */
public final class EventLines implements Iterator<Line>, AutoCloseable {

    private static final int BUFFER_BYTES = 1 << 16;
    private static final int GZIP_MAGIC = 0x1F8B;
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final CountingStream source;
    private final LineReader lines;
    private final Defaults defaults;
    private long number;
    private @Nullable Line next;

    private EventLines(CountingStream source, InputStream lines, Defaults defaults) {
        this.source = source;
        this.lines = new LineReader(lines);
        this.defaults = defaults;
    }

    /** Returns the lines of a stream; closing the result closes the stream. */
    public static EventLines of(InputStream in) throws IOException {
        return of(in, Defaults.NONE);
    }

    /** Returns the lines of a stream, with defaults for fields that a line does not name. */
    public static EventLines of(InputStream in, Defaults defaults) throws IOException {
        CountingStream source = new CountingStream(in);
        try {
            return new EventLines(source, uncompressed(new BufferedInputStream(source, BUFFER_BYTES)), defaults);
        } catch (IOException e) {
            source.close();
            throw new IOException("its beginning cannot be read: " + reason(e), e);
        }
    }

    /** Returns the number of bytes read from the source; compressed bytes if the source is compressed. */
    public long bytesRead() {
        return source.count.get();
    }

    /** @throws UncheckedIOException if the source cannot be read, or is broken gzip */
    @Override
    public boolean hasNext() {
        try {
            while (next == null) {
                if (!lines.advance()) {
                    return false;
                }
                number++;
                next = parse();
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException("line " + (number + 1) + " cannot be read: " + reason(e), e);
        }
    }

    @Override
    public Line next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        Line line = next;
        next = null;
        return line;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    private static InputStream uncompressed(BufferedInputStream in) throws IOException {
        in.mark(2);
        int magic = in.read() << Byte.SIZE | in.read();
        in.reset();
        return magic == GZIP_MAGIC ? new GZIPInputStream(in, BUFFER_BYTES) : in;
    }

    /** Returns a readable reason; the library's is "end of ZLIB input stream" or missing. */
    private static String reason(IOException e) {
        if (e instanceof EOFException) {
            return "the compressed data breaks off";
        }
        return e instanceof ZipException ? "the compressed data is damaged: " + e.getMessage() : "" + e.getMessage();
    }

    /** Returns the parsed line; null for a blank line. */
    private @Nullable Line parse() {
        if (lines.isTooLong()) {
            return new Line.Unreadable(number, "it is longer than " + LineReader.MAX_BYTES + " bytes");
        }
        Optional<String> decoded = lines.text();
        if (decoded.isEmpty()) {
            return new Line.Unreadable(number, "it is not valid UTF-8");
        }
        String text = decoded.get();
        if (number == 1 && text.startsWith(BYTE_ORDER_MARK)) {
            text = text.substring(BYTE_ORDER_MARK.length());
        }
        return isBlank(text) ? null : EventLineParser.parse(number, text, defaults);
    }

    /** Returns true if the text is blank in JSON; Java counts some control characters too. */
    private static boolean isBlank(String text) {
        return text.chars().allMatch(c -> c == ' ' || c == '\t' || c == '\r');
    }

    /** Counts the bytes that are read, so that callers can show progress. */
    private static final class CountingStream extends FilterInputStream {

        private final AtomicLong count = new AtomicLong();

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            count.addAndGet(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] target, int start, int length) throws IOException {
            int read = super.read(target, start, length);
            count.addAndGet(Math.max(0, read));
            return read;
        }
    }
}
