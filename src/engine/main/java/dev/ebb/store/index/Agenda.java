package dev.ebb.store.index;

import dev.ebb.store.layout.UsageKeys;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;

/**
 * The times at which to look at streams that are not in memory, in the usage store: their wake-ups. A wake-up may be too
 * early, never too late. That of a stream in memory is of no account, and stays where it is: after a crash it is read
 * again, since the agenda is then read from its beginning. Otherwise each wake-up is read once: the agenda remembers how
 * far it has come. Not thread-safe.
 */
public final class Agenda {

    /** The time of a stream that is never to be looked at. */
    public static final long NEVER = Long.MAX_VALUE;

    /** How far beyond the present the agenda looks for the next wake-up, in milliseconds. */
    static final long AHEAD_MS = 60_000;

    private static final byte[] NOTHING = {};

    private final KeyValueStore<Bytes, byte[]> usage;

    /** The first key that was not read. */
    private Bytes next = UsageKeys.wakeUp(0, 0);

    /** No wake-up that was not read lies before this time. */
    private long nextMs;

    public Agenda(KeyValueStore<Bytes, byte[]> usage) {
        this.usage = usage;
    }

    /** Begins from the beginning. */
    public void clear() {
        next = UsageKeys.wakeUp(0, 0);
        nextMs = 0;
    }

    /** @param timeMs the time, epoch milliseconds, 0 or later */
    public void put(long timeMs, int sid) {
        usage.put(UsageKeys.wakeUp(timeMs, sid), NOTHING);
    }

    public void remove(long timeMs, int sid) {
        usage.put(UsageKeys.wakeUp(timeMs, sid), null);
    }

    /** Returns true if the wake-up has been read, so that it wakes the stream no more. */
    public boolean isRead(long timeMs, int sid) {
        return UsageKeys.wakeUp(timeMs, sid).compareTo(next) < 0;
    }

    /** Notes that the wake-up counts again, although the agenda may have come further. */
    public void await(long timeMs, int sid) {
        nextMs = Math.min(nextMs, timeMs);
        Bytes key = UsageKeys.wakeUp(timeMs, sid);
        if (key.compareTo(next) < 0) {
            next = key;
        }
    }

    /**
     * Returns a time before which there is nothing to read, epoch milliseconds, unless a stream is put to sleep before
     * it.
     */
    public long nextMs() {
        return nextMs;
    }

    /** Returns the number of wake-ups up to {@code nowMs} that were not read, as far as the limit. */
    public int count(long nowMs, int limit) {
        if (nowMs < nextMs) {
            return 0;
        }
        int count = 0;
        try (KeyValueIterator<Bytes, byte[]> entries = usage.range(next, UsageKeys.wakeUp(nowMs, Integer.MAX_VALUE))) {
            for (; count < limit && entries.hasNext(); entries.next()) {
                count++;
            }
        }
        return count;
    }

    /**
     * Reads wake-ups up to {@code nowMs}, the earliest first.
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
        try (KeyValueIterator<Bytes, byte[]> entries =
                usage.range(next, UsageKeys.wakeUp(nowMs + AHEAD_MS, Integer.MAX_VALUE))) {
            while (entries.hasNext()) {
                Bytes key = entries.next().key;
                nextMs = UsageKeys.timeOfWakeUp(key);
                next = key;
                if (key.compareTo(last) > 0 || sids.size() == most) {
                    return sids;
                }
                sids.add(UsageKeys.sidOfWakeUp(key));
            }
        }
        nextMs = nowMs + AHEAD_MS;
        next = UsageKeys.wakeUp(nextMs, 0);
        return sids;
    }
}
