package dev.ebb.topology.policy;

import dev.ebb.store.layout.ByteReader;
import dev.ebb.store.layout.ByteWriter;
import dev.ebb.topology.wire.EbbHeaders;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Value that a policy or hold had before a change, in a header of the accepted record: compaction removes the former
 * record, and an undo may need it again (T-3). A record has one header for each change that can still be undone, the
 * newest first.
 *
 * @param version the version of the change
 * @param changedMs time of the change, epoch milliseconds
 * @param value the bytes before the change; null if there was no record
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record FormerValue(long version, long changedMs, byte @Nullable [] value) {

    /** Largest number of changes of one key that are remembered. */
    private static final int MOST = 16;

    /** Largest size of the former values of one key, so that they do not make a record too big. */
    private static final int MOST_BYTES = 16 * 1024;

    /** Bytes of a former value in addition to the value itself. */
    private static final int FRAME_BYTES = 64;

    private static final byte[] NOTHING = {};

    /** Returns the former values after a change: the newest one, and the others that are young enough. */
    public static List<FormerValue> with(FormerValue newest, List<FormerValue> others, long sinceMs) {
        List<FormerValue> kept = new ArrayList<>();
        long bytes = 0;
        List<FormerValue> all = new ArrayList<>(List.of(newest));
        all.addAll(others);
        for (FormerValue former : all) {
            bytes += FRAME_BYTES + (former.value == null ? 0 : former.value.length);
            if (kept.size() >= MOST || bytes > MOST_BYTES || former.changedMs < sinceMs) {
                break;
            }
            kept.add(former);
        }
        return kept;
    }

    /** Adds the former values to a record. */
    public static void write(List<FormerValue> formers, Headers headers) {
        formers.forEach(former -> headers.add(EbbHeaders.FORMER, former.encode()));
    }

    /** Returns the former values of a record, the newest first. */
    public static List<FormerValue> read(Headers headers) {
        List<FormerValue> formers = new ArrayList<>();
        for (Header header : headers.headers(EbbHeaders.FORMER)) {
            formers.add(read(new ByteReader(header.value())));
        }
        return formers;
    }

    /** Returns the former values as one array, for the state. */
    public static byte[] encode(List<FormerValue> formers) {
        ByteWriter out = new ByteWriter(256).writeInt(formers.size());
        formers.forEach(former -> out.writeBytes(former.encode()));
        return out.toBytes();
    }

    /** Returns the former values that {@link #encode(List)} wrote; none for null. */
    public static List<FormerValue> decode(byte @Nullable [] bytes) {
        List<FormerValue> formers = new ArrayList<>();
        if (bytes != null) {
            ByteReader in = new ByteReader(bytes);
            for (int left = in.readInt(); left > 0; left--) {
                formers.add(read(new ByteReader(in.readBytes())));
            }
        }
        return formers;
    }

    private byte[] encode() {
        return new ByteWriter(64)
                .writeLong(version)
                .writeLong(changedMs)
                .writeBytes(value == null ? NOTHING : value)
                .toBytes();
    }

    /** Reads one value: an empty one stands for none, since no record of a policy or a hold is empty. */
    private static FormerValue read(ByteReader in) {
        long version = in.readLong();
        long changedMs = in.readLong();
        byte[] value = in.readBytes();
        return new FormerValue(version, changedMs, value.length == 0 ? null : value);
    }
}
