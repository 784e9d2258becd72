package dev.ebb.store.gather;

import dev.ebb.store.gather.EventLog.Known;
import dev.ebb.store.rocks.Guarantee;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jpountz.xxhash.XXHash64;
import net.jpountz.xxhash.XXHashFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * The last change of each key that is still to be sent, in the order of these changes. A key that is new and deleted
 * again is not sent at all: readers never learn of it. A deletion of any other key is sent at once, since nothing could
 * take it back and a sweep consists of deletions.
 *
 * <p>Memory is bounded: if there are too many changes, the oldest are sent. If waiting spares next to nothing, changes
 * are sent at once. The sent changes followed by the gathered ones always give the present state, so a key that is not
 * gathered is new if that state does not hold it. Not thread-safe.
 */
public final class Gathered {

    /**
     * The most bytes that wait for one topic and task. An event that a cap pushes out lives for some thousand others,
     * which fit in here many times. With a higher limit, each garbage collection would copy more for the few that live
     * longer.
     */
    public static final int MAX_BYTES = 4 << 20;

    /** The bytes of a change besides its key and its value. */
    static final int OVERHEAD_BYTES = 160;

    private static final Headers NO_HEADERS = new RecordHeaders();

    private static final XXHash64 HASH = XXHashFactory.fastestJavaInstance().hash64();

    private final int maxBytes;
    private final Sender sender;

    /** Each change as its own key: it equals every other change of its Kafka key. */
    private final Map<Change, Change> changes = new LinkedHashMap<>();

    private final Payback payback;
    private long bytes;

    /** Sends the changes whose time has come. */
    @FunctionalInterface
    public interface Sender {

        /** @param value the value; null deletes the key */
        void send(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers);
    }

    /** @param maxBytes the most bytes that wait */
    Gathered(int maxBytes, Sender sender) {
        this(maxBytes, sender, new Payback());
    }

    /** @param payback decides whether changes wait at all */
    Gathered(int maxBytes, Sender sender, Payback payback) {
        this.maxBytes = maxBytes;
        this.sender = sender;
        this.payback = payback;
    }

    /**
     * Returns the changes of a task that wait for its commit. Without transactions none waits, since after a crash the
     * files of a store may hold changes that were not sent.
     *
     * @param settings the settings of the Kafka Streams application
     * @param maxBytes the most bytes that wait
     */
    static Gathered of(Map<String, Object> settings, int maxBytes, Sender sender) {
        return new Gathered(Guarantee.isExactlyOnce(settings) ? maxBytes : 0, sender);
    }

    /**
     * Takes a change in place of the former change of its key.
     *
     * @param value the value; null deletes the key. Neither array may be changed afterwards
     * @param isNew true if the key is known to have had no value; false says nothing
     */
    void add(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers, boolean isNew) {
        if (maxBytes == 0) {
            sender.send(key, value, timestampMs, headers);
        } else if (payback.isWaiting()) {
            await(new Change(key, value, timestampMs, headers, isNew));
        } else {
            payback.passes(key, value == null);
            sender.send(key, value, timestampMs, headers);
        }
    }

    private void await(Change change) {
        Change former = takeFormer(change);
        if (former != null) {
            change.isNew = former.isNew;
        }
        if (change.value == null) {
            takeBack(change, former != null);
            return;
        }
        changes.put(change, change);
        bytes += change.bytes();
        if (!payback.waits(former != null)) {
            sendWaiting();
        } else if (bytes > maxBytes) {
            sendOldest();
        }
    }

    private void takeBack(Change deletion, boolean isInPlaceOfAnother) {
        if (isInPlaceOfAnother) {
            payback.takenBack();
        }
        if (!deletion.isNew) {
            deletion.sendTo(sender);
        }
    }

    /** Sends a change at once, right after the waiting change of its key. */
    void pass(byte[] key, byte[] value, long timestampMs, Headers headers) {
        Change change = new Change(key, value, timestampMs, headers, false);
        Change former = takeFormer(change);
        if (former != null) {
            former.sendTo(sender);
        }
        change.sendTo(sender);
    }

    /** Returns what readers know of the key. */
    Known known(byte[] key) {
        Change waiting = changes.isEmpty() ? null : changes.get(new Change(key, null, 0, NO_HEADERS, false));
        return waiting == null ? Known.AS_IT_IS : waiting.isNew ? Known.NOT_AT_ALL : Known.AS_IT_WAS;
    }

    /**
     * Takes the waiting change of a key that is deleted, and forgets it.
     *
     * @return true if readers have learnt nothing of the key, so that they need not learn that it is gone
     */
    boolean takeBack(byte[] key) {
        if (maxBytes == 0) {
            return false;
        }
        if (!payback.isWaiting()) {
            payback.passes(key, true);
            return false;
        }
        Change former = takeFormer(new Change(key, null, 0, NO_HEADERS, false));
        if (former != null) {
            payback.takenBack();
        }
        return former != null && former.isNew;
    }

    private @Nullable Change takeFormer(Change change) {
        Change former = changes.isEmpty() ? null : changes.remove(change);
        if (former != null) {
            bytes -= former.bytes();
        }
        return former;
    }

    private void sendOldest() {
        Iterator<Change> oldest = changes.values().iterator();
        while (bytes > maxBytes) {
            Change change = oldest.next();
            oldest.remove();
            bytes -= change.bytes();
            change.sendTo(sender);
        }
    }

    /** Sends all changes, before a commit. */
    void sendAll() {
        sendWaiting();
        payback.endTransaction();
    }

    /** Sends all changes before the end of their transaction. */
    void sendWaiting() {
        changes.values().forEach(change -> change.sendTo(sender));
        changes.clear();
        bytes = 0;
    }

    /** Forgets all changes: their transaction is aborted. */
    void clear() {
        changes.clear();
        bytes = 0;
        payback.endTransaction();
    }

    private static final class Change {

        private final byte[] key;

        /** Zero until it is needed: a change that is sent at once needs no hash. */
        private int hash;

        private final byte @Nullable [] value;
        private final long timestampMs;
        private final Headers headers;

        /** True if the key was not there before the first of its unsent changes. */
        private boolean isNew;

        Change(byte[] key, byte @Nullable [] value, long timestampMs, Headers headers, boolean isNew) {
            this.key = key;
            this.value = value;
            this.timestampMs = timestampMs;
            this.headers = headers;
            this.isNew = isNew;
        }

        long bytes() {
            return (long) OVERHEAD_BYTES + key.length + (value == null ? 0 : value.length);
        }

        void sendTo(Sender sender) {
            sender.send(key, value, timestampMs, headers);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Change change && hash == change.hash && Arrays.equals(key, change.key);
        }

        @Override
        public int hashCode() {
            if (hash == 0) {
                hash = (int) HASH.hash(key, 0, key.length, 0);
            }
            return hash;
        }
    }
}
