package dev.ebb.bench.load;

import java.time.Duration;

/**
 * Properties of the events of a workload. A component that ends in "Every" is the number of events for each such event;
 * 0 means none.
 *
 * @param protectedEvery events whose work is not finished
 * @param lateEvery events that occurred up to a day earlier than their neighbours
 * @param ttlEvery events with an own TTL, between 2 and 30 days
 * @param repeatEvery records with an id that has occurred before
 * @param protectedFirst number of events at the beginning that are all protected
 * @param isEachStreamFirst true if the first events go to each stream once
 * @param spanMs time from the first record to the last, in milliseconds
 * @param agoMs time by which events occurred before their records, in milliseconds
 */
public record Mix(
        int protectedEvery,
        int lateEvery,
        int ttlEvery,
        int repeatEvery,
        int protectedFirst,
        boolean isEachStreamFirst,
        long spanMs,
        long agoMs) {

    /** 5 % protected, 5 % late, 1 % with an own TTL, 1 % repeated. */
    public static final Mix USUAL =
            new Mix(20, 20, 100, 100, 0, false, Duration.ofHours(1).toMillis(), 0);

    /** Finished work alone, each event once, all at the same moment. */
    public static final Mix PLAIN = new Mix(0, 0, 0, 0, 0, false, 0, 0);

    public Mix withoutTtl() {
        return with(0, protectedFirst, isEachStreamFirst, agoMs);
    }

    public Mix protectedFirst(int events) {
        return with(ttlEvery, events, isEachStreamFirst, agoMs);
    }

    public Mix eachStreamFirst() {
        return with(ttlEvery, protectedFirst, true, agoMs);
    }

    public Mix ago(Duration time) {
        return with(ttlEvery, protectedFirst, isEachStreamFirst, time.toMillis());
    }

    private Mix with(int newTtlEvery, int newProtectedFirst, boolean newIsEachStreamFirst, long newAgoMs) {
        return new Mix(
                protectedEvery,
                lateEvery,
                newTtlEvery,
                repeatEvery,
                newProtectedFirst,
                newIsEachStreamFirst,
                spanMs,
                newAgoMs);
    }
}
