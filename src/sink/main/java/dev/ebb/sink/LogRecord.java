package dev.ebb.sink;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.header.Header;
import org.apache.kafka.connect.header.Headers;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of rows in a record of the log of the events, which is the changelog of their store: a put of an
 * event, which names its stream in a header, or a run of removals. All other records concern the store alone, that of an
 * event without a row among them. Stateless.
 */
final class LogRecord {

    /** The header with the name of the stream. */
    private static final String STREAM = "s";

    /** The header of an event that the log has already had as it is: a row that is there stays. */
    private static final String KNOWN = "k";

    private static final byte RUN = 'R';
    private static final int FORM_OF_RUN = 1;

    private LogRecord() {}

    /** Returns the changes in their order; one that changes nothing if the record concerns no row. */
    static List<Change> changes(SinkRecord record) throws BadRowException {
        byte @Nullable [] stream = stream(record.headers());
        if (record.value() instanceof byte[] value && record.key() instanceof byte[] key) {
            if (key.length > 0 && key[0] == RUN) {
                return ofRun(record, value);
            }
            if (stream != null) {
                boolean isKnown = record.headers().lastWithName(KNOWN) != null;
                return List.of(Change.ofRow(record, EventForm.keyOf(stream, value), value, isKnown));
            }
        }
        return List.of(Change.ofNothing(record));
    }

    /** Another converter makes numbers and dates of names, so the setting is at fault then, and no record is set aside. */
    private static byte @Nullable [] stream(Headers headers) {
        Header header = headers.lastWithName(STREAM);
        if (header == null) {
            return null;
        }
        if (header.value() instanceof byte[] bytes) {
            return bytes;
        }
        throw new ConnectException(
                "the names of streams are no bytes: set header.converter to"
                        + " org.apache.kafka.connect.converters.ByteArrayConverter, or take the connector from config/connect/ebb");
    }

    private static List<Change> ofRun(SinkRecord record, byte[] run) throws BadRowException {
        LogBytes in = new LogBytes(run);
        int form = in.readByte();
        if (form != FORM_OF_RUN) {
            throw new BadRowException(
                    "it is a run in the form " + form + ", which this version of the sink does not know");
        }
        List<byte[]> keys = new ArrayList<>();
        while (in.hasMore()) {
            byte[] stream = in.readBytes();
            long count = in.readSize();
            if ((count & 1) == 0) {
                readEvents(in, stream, count >> 1, keys);
            } else {
                for (long i = 0; i < count >> 1; i++) {
                    long micros = PostgresTime.ofEpochMicros(in.readLong());
                    keys.add(EventForm.key(micros, stream, in.readBytes()));
                }
            }
        }
        return keys.isEmpty() ? List.of(Change.ofNothing(record)) : Change.ofDeletes(record, keys);
    }

    private static void readEvents(LogBytes in, byte[] stream, long count, List<byte[]> keys) throws BadRowException {
        byte[] id = {};
        long storedAt = 0;
        for (long i = 0; i < count; i++) {
            // The key in the store.
            in.readSize();
            in.skipBytes();
            long difference = in.readSize();
            storedAt += (difference >>> 1) ^ -(difference & 1);
            id = readAfter(in, id);
            // A part without a name is of events without rows (F-13).
            if (stream.length > 0) {
                keys.add(EventForm.key(PostgresTime.ofMs(storedAt), stream, id));
            }
        }
    }

    private static byte[] readAfter(LogBytes in, byte[] before) throws BadRowException {
        long shared = in.readSize();
        byte[] rest = in.readBytes();
        if (shared < 0 || shared > before.length) {
            throw new BadRowException("its bytes are no values");
        }
        byte[] whole = Arrays.copyOf(before, (int) shared + rest.length);
        System.arraycopy(rest, 0, whole, (int) shared, rest.length);
        return whole;
    }
}
