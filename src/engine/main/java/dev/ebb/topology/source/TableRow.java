package dev.ebb.topology.source;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest version of a row, as its producers have written it.
 *
 * @param first the offset of the version as its producer wrote it
 * @param offset the offset of the version, or of its last copy that was sent again and read
 * @param stream the stream of the event of the row; null if it has none, because the version is no event
 * @param isGone true if the version is a null value
 * @param print the fingerprint of the version; only known while versions are under way
 * @param underWay fingerprints of the versions that were sent again and have not been read yet. Each of them comes
 *     behind what producers may have written meanwhile, and must not take its place
 */
record TableRow(long first, long offset, @Nullable String stream, boolean isGone, long print, List<Long> underWay) {

    private static final int MOST_UNDER_WAY = 16;

    TableRow {
        underWay = List.copyOf(underWay);
    }

    /** Returns true if a version with that fingerprint is under way. */
    boolean awaits(long of) {
        return underWay.contains(of);
    }

    /** Returns the row after a version with that fingerprint was read. */
    TableRow without(long of) {
        List<Long> left = new ArrayList<>(underWay);
        left.remove(of);
        return new TableRow(first, offset, stream, isGone, print, left);
    }

    /** Returns the row after the version itself, with that fingerprint, was sent again. */
    TableRow sentAgain(long of) {
        List<Long> more = new ArrayList<>(underWay);
        more.add(of);
        if (more.size() > MOST_UNDER_WAY) {
            more.remove(0);
        }
        return new TableRow(first, offset, stream, isGone, of, more);
    }

    /** Returns the row as bytes. */
    byte[] encode() {
        byte[] text = stream == null ? new byte[0] : stream.getBytes(StandardCharsets.UTF_8);
        int prints = underWay.isEmpty() ? 0 : 1 + underWay.size();
        ByteBuffer out = ByteBuffer.allocate((2 + prints) * Long.BYTES + 2 + text.length);
        out.putLong(first).putLong(offset).put((byte) (isGone ? 1 : 0)).put((byte) underWay.size());
        if (prints > 0) {
            out.putLong(print);
            underWay.forEach(out::putLong);
        }
        return out.put(text).array();
    }

    /** Reads the output of {@link #encode}. */
    static TableRow decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        long first = in.getLong();
        long offset = in.getLong();
        boolean isGone = in.get() == 1;
        int count = in.get();
        long print = count == 0 ? 0 : in.getLong();
        List<Long> underWay = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            underWay.add(in.getLong());
        }
        String stream = in.hasRemaining() ? StandardCharsets.UTF_8.decode(in).toString() : null;
        return new TableRow(first, offset, stream, isGone, print, underWay);
    }
}
