package dev.ebb.topology.trash;

import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Tells the records that the task of a partition has put into the trash from those that others have put there, and from
 * copies of records that are out of the trash already; and knows the records that must be there. Not thread-safe: each
 * reading has its own.
 */
public final class TrashGuard {

    private final Supplier<byte @Nullable []> secret;
    private final LongPredicate isOut;
    private final TrashPromise promise;
    private @Nullable TrashSeal seal;

    /**
     * @param secret returns the secret of the seals, for any thread; null as long as the task has sent no record
     * @param isOut returns true for the numbers of records that were taken out before the moment of the promise
     * @param promise the records that must be there
     */
    TrashGuard(Supplier<byte @Nullable []> secret, LongPredicate isOut, TrashPromise promise) {
        this.secret = secret;
        this.isOut = isOut;
        this.promise = promise;
    }

    /** Returns true if the task has sent the record, and its bytes are as they were sent. */
    public boolean isGenuine(byte[] key, byte @Nullable [] value, Headers headers) {
        TrashSeal known = seal();
        return known != null && known.isOn(key, value, headers);
    }

    /** The task may send its first record after the moment of the promise. */
    private @Nullable TrashSeal seal() {
        TrashSeal known = seal;
        if (known == null) {
            byte[] bytes = secret.get();
            known = bytes == null ? null : new TrashSeal(bytes);
            seal = known;
        }
        return known;
    }

    /** Returns the number of a genuine record; -1 for a tombstone, and for a record of others. */
    public long serial(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
        return key == null || value == null || !isGenuine(key, value, headers)
                ? -1
                : TrashKey.decode(key).serial();
    }

    /** Returns true if the record was brought back or erased: it never counts again, even if it is sent once more. */
    public boolean isOut(TrashKey key) {
        return isOut.test(key.serial());
    }

    /** Returns the time before which none of the deletes was made that may be meant; -1 if it is not known. */
    public long sinceMs() {
        return promise.sinceMs();
    }

    /**
     * Returns true if an audit must read all records: some may have gone from the beginning since the last one.
     *
     * @param head the number of the first record
     * @param lastHead the same at the last audit, or {@link TrashSource.Audit#ALL}
     */
    public boolean mustReadAll(long head, long lastHead) {
        return lastHead == TrashSource.Audit.ALL || (head != lastHead && head > promise.firstSerial());
    }

    TrashPromise promise() {
        return promise;
    }
}
