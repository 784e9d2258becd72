package dev.ebb.store.index;

import dev.ebb.store.layout.UsageKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The times at which to look at streams that are not in memory, in the usage store: their wake-ups. A wake-up may be too
 * early, never too late. That of a stream in memory is of no account, and stays where it is: after a crash it is read
 * again, since the agenda is then read from its beginning. Otherwise each wake-up is read once: a cursor goes through the
 * agenda in the order of time. A wake-up filed behind the cursor is read when the cursor has been turned back, so
 * that a reader which never turns it back comes to an end. Not thread-safe.
 */
public final class Agenda {

    /** The time of a stream that is never to be looked at. */
    public static final long NEVER = Long.MAX_VALUE;

    /** How far beyond the present the agenda looks for the next wake-up, in milliseconds. */
    static final long AHEAD_MS = 60_000;

    private static final byte[] NOTHING = {};

    private final KeyValueStore<Bytes, byte[]> usage;

    /** The cursor: the first key that was not read. */
    private Bytes next = UsageKeys.wakeUp(0, 0);

    /** No wake-up from the cursor on lies before this time. */
    private long nextMs;

    /** The first key behind the cursor that counts; null if there is none. */
    private @Nullable Bytes behind;

    public Agenda(KeyValueStore<Bytes, byte[]> usage) {
        this.usage = usage;
    }

    /** Begins from the beginning. */
    public void clear() {
        next = UsageKeys.wakeUp(0, 0);
        nextMs = 0;
        behind = null;
    }

    /** @param timeMs the time, epoch milliseconds, 0 or later */
    public void put(long timeMs, int sid) {
        usage.put(UsageKeys.wakeUp(timeMs, sid), NOTHING);
    }

    public void remove(long timeMs, int sid) {
        usage.put(UsageKeys.wakeUp(timeMs, sid), null);
    }

    /** Returns true if the cursor has passed the wake-up. */
    public boolean isRead(long timeMs, int sid) {
        return UsageKeys.wakeUp(timeMs, sid).compareTo(next) < 0;
    }

    /** Notes that the wake-up counts, also if the cursor has passed it. */
    public void await(long timeMs, int sid) {
        Bytes key = UsageKeys.wakeUp(timeMs, sid);
        if (key.compareTo(next) >= 0) {
            nextMs = Math.min(nextMs, timeMs);
        } else if (behind == null || key.compareTo(behind) < 0) {
            behind = key;
        }
    }

    /**
     * Returns a time before which there is nothing to read from the cursor on, epoch milliseconds, unless a stream is put
     * to sleep before it.
     */
    public long nextMs() {
        return nextMs;
    }

    /** Returns the time of the first wake-up behind the cursor, epoch milliseconds; {@link #NEVER} if there is none. */
    public long behindMs() {
        return behind == null ? NEVER : UsageKeys.timeOfWakeUp(behind);
    }

    /** Turns the cursor back to the first wake-up behind it. */
    public void turnBack() {
        Bytes first = behind;
        if (first != null) {
            next = first;
            nextMs = UsageKeys.timeOfWakeUp(first);
            behind = null;
        }
    }

    /** Returns the number of wake-ups of such streams up to {@code nowMs} that are still to be read, as far as the limit. */
    public int count(long nowMs, int limit, IntPredicate counts) {
        if (nowMs < nextMs && nowMs < behindMs()) {
            return 0;
        }
        int count = 0;
        Bytes from = behind == null ? next : behind;
        try (KeyValueIterator<Bytes, byte[]> entries = usage.range(from, UsageKeys.wakeUp(nowMs, Integer.MAX_VALUE))) {
            while (count < limit && entries.hasNext()) {
                count += counts.test(UsageKeys.sidOfWakeUp(entries.next().key)) ? 1 : 0;
            }
        }
        return count;
    }

    /**
     * Reads wake-ups from the cursor up to {@code nowMs}, the earliest first.
     *
     * @param most the most to read
     * @return the numbers of their streams, of which some may be in memory, or gone
     */
    public List<Integer> read(long nowMs, int most) {
        List<Integer> sids = new ArrayList<>();
        if (nowMs < nextMs) {
            return sids;
        }
        Bytes last = UsageKeys.wakeUp(nowMs, Integer.MAX_VALUE);
        long seenMs = nowMs + AHEAD_MS;
        try (KeyValueIterator<Bytes, byte[]> entries =
                usage.range(next, UsageKeys.wakeUp(nowMs + AHEAD_MS, Integer.MAX_VALUE))) {
            while (entries.hasNext()) {
                Bytes key = entries.next().key;
                if (key.compareTo(last) > 0) {
                    seenMs = UsageKeys.timeOfWakeUp(key);
                    break;
                }
                if (sids.size() == most) {
                    nextMs = UsageKeys.timeOfWakeUp(key);
                    next = key;
                    return sids;
                }
                sids.add(UsageKeys.sidOfWakeUp(key));
            }
        }
        // Not beyond the present: a wake-up that is filed for a time to come must not lie behind the cursor.
        nextMs = seenMs;
        next = UsageKeys.wakeUp(nowMs + 1, 0);
        return sids;
    }
}
