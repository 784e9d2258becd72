package dev.ebb.api.door;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts the requests of each caller: those that are being answered, and those of the last moments. Urgent requests have
 * a small {@link Reserve} beyond the limits. Thread-safe; remembers the last 10 000 callers.
 */
public final class CallerLimits {

    private static final int MAX_CALLERS = 10_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final int concurrent;
    private final int concurrentOfOne;
    private final int ratePerSecond;
    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);
    private int running;

    CallerLimits(int concurrent, int concurrentOfOne, int ratePerSecond, LongSupplier nanoTime) {
        this.concurrent = concurrent;
        this.concurrentOfOne = concurrentOfOne;
        this.ratePerSecond = ratePerSecond;
        this.nanoTime = nanoTime;
    }

    /** Lets a request in, or throws {@link TooManyException}; a caller that was let in must {@link #leave}. */
    synchronized void enter(String caller, Reserve reserve) {
        Bucket bucket = bucketOf(caller);
        if (running >= (long) concurrent + reserve.ofAll()) {
            throw new TooManyException("the instance is already answering " + running + " requests");
        }
        if (bucket.running >= (long) concurrentOfOne + reserve.ofOne()) {
            throw new TooManyException("you already have " + bucket.running + " requests that are being answered");
        }
        if (!bucket.take(reserve)) {
            throw new TooManyException("you may send " + ratePerSecond + " requests each second");
        }
        bucket.running++;
        running++;
    }

    synchronized void leave(String caller) {
        bucketOf(caller).running--;
        running--;
    }

    private Bucket bucketOf(String caller) {
        Bucket bucket = buckets.computeIfAbsent(caller, name -> new Bucket());
        if (buckets.size() > MAX_CALLERS) {
            forgetOne();
        }
        return bucket;
    }

    /** Forgets the least recently seen caller without a request under way. */
    private void forgetOne() {
        buckets.entrySet().stream()
                .filter(entry -> entry.getValue().running == 0)
                .map(Map.Entry::getKey)
                .findFirst()
                .ifPresent(buckets::remove);
    }

    /** Thrown when a request is refused; asking again after a second helps. */
    public static final class TooManyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        TooManyException(String message) {
            super(message);
        }
    }

    private final class Bucket {

        private double left = 2.0 * ratePerSecond;
        private long filledNanos = nanoTime.getAsLong();
        private int running;

        /** A reserve is lent: the next requests wait until it has been paid back. */
        boolean take(Reserve reserve) {
            long now = nanoTime.getAsLong();
            left = Math.min(2.0 * ratePerSecond, left + (now - filledNanos) / NANOS_PER_SECOND * ratePerSecond);
            filledNanos = now;
            if (left + reserve.ofOne() < 1) {
                return false;
            }
            left--;
            return true;
        }
    }
}
