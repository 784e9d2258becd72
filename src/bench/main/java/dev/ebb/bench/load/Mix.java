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
 * @param hotPercent percentage of the events that go to one stream
 * @param isEachStreamFirst true if the first events go to each stream once
 * @param spanMs time from the first record to the last, in milliseconds
 * @param agoMs time by which events occurred before their records, in milliseconds
 * @param isJson true if payloads are JSON, which compresses, instead of random bytes
 */
public record Mix(
        int protectedEvery,
        int lateEvery,
        int ttlEvery,
        int repeatEvery,
        int protectedFirst,
        int hotPercent,
        boolean isEachStreamFirst,
        long spanMs,
        long agoMs,
        boolean isJson) {

    /** 5 % protected, 5 % late, 1 % with an own TTL, 1 % repeated. */
    public static final Mix USUAL =
            new Mix(20, 20, 100, 100, 0, 0, false, Duration.ofHours(1).toMillis(), 0, false);

    /** Finished work alone, each event once, all at the same moment. */
    public static final Mix PLAIN = new Mix(0, 0, 0, 0, 0, 0, false, 0, 0, false);

    public Mix withoutTtl() {
        return with(0, protectedFirst, hotPercent, isEachStreamFirst, agoMs, isJson);
    }

    public Mix protectedFirst(int events) {
        return with(ttlEvery, events, hotPercent, isEachStreamFirst, agoMs, isJson);
    }

    public Mix hot(int percent) {
        return with(ttlEvery, protectedFirst, percent, isEachStreamFirst, agoMs, isJson);
    }

    public Mix eachStreamFirst() {
        return with(ttlEvery, protectedFirst, hotPercent, true, agoMs, isJson);
    }

    public Mix ago(Duration time) {
        return with(ttlEvery, protectedFirst, hotPercent, isEachStreamFirst, time.toMillis(), isJson);
    }

    public Mix json() {
        return with(ttlEvery, protectedFirst, hotPercent, isEachStreamFirst, agoMs, true);
    }

    private Mix with(
            int newTtlEvery,
            int newProtectedFirst,
            int newHotPercent,
            boolean newIsEachStreamFirst,
            long newAgoMs,
            boolean newIsJson) {
        return new Mix(
                protectedEvery,
                lateEvery,
                newTtlEvery,
                repeatEvery,
                newProtectedFirst,
                newHotPercent,
                newIsEachStreamFirst,
                spanMs,
                newAgoMs,
                newIsJson);
    }
}
