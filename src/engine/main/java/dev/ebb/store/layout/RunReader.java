package dev.ebb.store.layout;

import java.util.Arrays;

/** Reads the record that a {@link RunWriter} has written. Stateless. */
public final class RunReader {

    private RunReader() {}

    /** Receives the removals of a run in their order. */
    public interface Visitor {

        /**
         * @param stream the name of the stream of the removed event; empty if SQL has no row of the event
         * @param storedAt the {@code storedAt} of the removed event, epoch milliseconds
         */
        void removed(String stream, byte[] key, long storedAt, byte[] id);

        /** @param micros the time of a row without an event, microseconds since 1970 */
        default void rowRemoved(String stream, long micros, byte[] id) {}
    }

    /** Returns true if the record of the changelog with this key is a run. */
    public static boolean isRun(byte[] key) {
        return key.length > 0 && key[0] == RunWriter.KEY;
    }

    /** @throws IllegalStateException or an {@link IndexOutOfBoundsException} if the bytes are damaged */
    public static void read(byte[] run, Visitor visitor) {
        ByteReader in = new ByteReader(run);
        int form = in.readByte();
        if (form != RunWriter.FORM) {
            throw new IllegalStateException("a run is written in the unknown form " + form);
        }
        while (in.hasMore()) {
            String stream = in.readText();
            long count = in.readVarLong();
            if ((count & 1) == 0) {
                readEvents(in, stream, count >> 1, visitor);
            } else {
                for (long i = 0; i < count >> 1; i++) {
                    visitor.rowRemoved(stream, in.readLong(), in.readBytes());
                }
            }
        }
    }

    private static void readEvents(ByteReader in, String stream, long count, Visitor visitor) {
        byte[] key = {};
        byte[] id = {};
        long storedAt = 0;
        for (long i = 0; i < count; i++) {
            key = readAfter(in, key);
            long difference = in.readVarLong();
            storedAt += (difference >>> 1) ^ -(difference & 1);
            id = readAfter(in, id);
            visitor.removed(stream, key, storedAt, id);
        }
    }

    private static byte[] readAfter(ByteReader in, byte[] before) {
        long shared = in.readVarLong();
        if (shared < 0 || shared > before.length) {
            throw new IllegalStateException("damaged: " + shared + " bytes of " + before.length + " are shared");
        }
        byte[] rest = in.readBytes();
        byte[] whole = Arrays.copyOf(before, (int) shared + rest.length);
        System.arraycopy(rest, 0, whole, (int) shared, rest.length);
        return whole;
    }
}
