package dev.ebb.store.state;

import dev.ebb.domain.event.StreamName;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one partition that are in memory: those used last, up to a number of bytes. There is never more
 * than one object for a stream: one that has left, and is still in use by work in slices, is found again until nothing
 * refers to it. Not thread-safe.
 */
final class StreamCache {

    /** The bytes of a stream with its first execution, its entries in the cache and in the schedule: measured, rounded up. */
    static final long STREAM_BYTES = 1000;

    /** The bytes of a further execution. */
    static final long EXECUTION_BYTES = 600;

    /** The most streams that are passed over, in search of one that may leave, before the oldest one has to. */
    private static final int PASSED_OVER = 16;

    private final LongSupplier mostBytes;
    private final Consumer<StreamState> leaves;
    private final LinkedHashMap<StreamName, StreamState> streams = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Integer, StreamState> bySid = new HashMap<>();
    private final Map<StreamName, Left> left = new HashMap<>();
    private final ReferenceQueue<StreamState> unused = new ReferenceQueue<>();
    private long bytes;

    /**
     * @param mostBytes returns the number of bytes, which may change; one stream stays in any case
     * @param leaves receives each stream that leaves the cache, before it does
     */
    StreamCache(LongSupplier mostBytes, Consumer<StreamState> leaves) {
        this.mostBytes = mostBytes;
        this.leaves = leaves;
    }

    /** A stream that has left, as long as anything refers to it. */
    private static final class Left extends WeakReference<StreamState> {

        private final StreamName name;

        Left(StreamState stream, ReferenceQueue<StreamState> unused) {
            super(stream, unused);
            this.name = stream.stream();
        }
    }

    void clear() {
        streams.clear();
        bySid.clear();
        left.clear();
        bytes = 0;
    }

    /** Returns the stream if it is in the cache, and notes its use; null if it is not. */
    @Nullable
    StreamState find(StreamName name) {
        return streams.get(name);
    }

    /** Returns the stream with this number if it is in the cache; null if it is not. */
    @Nullable
    StreamState ofSid(int sid) {
        return bySid.get(sid);
    }

    /** Returns a stream that has left the cache and is still in use; null if there is none. */
    @Nullable
    StreamState inUse(StreamName name) {
        Left known = left.get(name);
        return known == null ? null : known.get();
    }

    /** Returns the number of plain streams that take this part of the cache, at least 1. */
    int room(int part) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, mostBytes.getAsLong() / STREAM_BYTES / part));
    }

    /** Puts the stream into the cache; others leave if there is no room. */
    void put(StreamState stream) {
        forgetUnused();
        left.remove(stream.stream());
        streams.put(stream.stream(), stream);
        bySid.put(stream.sid(), stream);
        stream.cacheAs(bytesOf(stream));
        bytes += stream.cachedBytes();
        trim(stream);
    }

    /** Notes that the stream has another size. */
    void weigh(StreamState stream) {
        if (stream.isCached()) {
            long now = bytesOf(stream);
            bytes += now - stream.cachedBytes();
            stream.cacheAs(now);
        }
    }

    /** Forgets a stream that is gone. */
    void remove(StreamState stream) {
        if (stream.isCached()) {
            drop(stream);
        }
        left.remove(stream.stream());
    }

    private void drop(StreamState stream) {
        streams.remove(stream.stream());
        bySid.remove(stream.sid());
        bytes -= stream.cachedBytes();
        stream.cacheAs(0);
    }

    private void trim(StreamState newest) {
        long most = mostBytes.getAsLong();
        while (bytes > most && streams.size() > 1) {
            StreamState oldest = oldest(newest);
            leaves.accept(oldest);
            drop(oldest);
            left.put(oldest.stream(), new Left(oldest, unused));
        }
    }

    /** Returns the stream that was used longest ago, without those at which work is under way, if there are only a few. */
    private StreamState oldest(StreamState newest) {
        Iterator<StreamState> inTurn = streams.values().iterator();
        StreamState first = inTurn.next();
        StreamState next = first;
        for (int i = 0; i < PASSED_OVER && (next == newest || next.isInWork()) && inTurn.hasNext(); i++) {
            next = inTurn.next();
        }
        if (next != newest && !next.isInWork()) {
            return next;
        }
        return first == newest ? next : first;
    }

    private void forgetUnused() {
        for (Reference<?> gone = unused.poll(); gone != null; gone = unused.poll()) {
            Left known = (Left) gone;
            left.remove(known.name, known);
        }
    }

    private static long bytesOf(StreamState stream) {
        int executions = stream.executions() == null ? 0 : stream.executions().size();
        return STREAM_BYTES + 2L * stream.stream().value().length() + EXECUTION_BYTES * executions;
    }
}
