package dev.ebb.topology.trash;

import java.util.function.LongPredicate;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Tells the records that the task of a partition has put into the trash from those that others have put there, and from
 * copies of records that are out of the trash already. Not thread-safe: each reading has its own.
 */
public final class TrashGuard {

    private final TrashSeal seal;
    private final LongPredicate isOut;

    /** @param isOut returns true for the numbers of records that were taken out before the guard was made */
    TrashGuard(byte[] secret, LongPredicate isOut) {
        this.seal = new TrashSeal(secret);
        this.isOut = isOut;
    }

    /** Returns true if the task has sent the record, and its bytes are as they were sent. */
    public boolean isGenuine(byte[] key, byte @Nullable [] value, Headers headers) {
        return seal.isOn(key, value, headers);
    }

    /** Returns true if the record was brought back or erased: it never counts again, even if it is sent once more. */
    public boolean isOut(TrashKey key) {
        return isOut.test(key.serial());
    }
}
