package dev.ebb.bench.load;

import java.time.Duration;

/**
 * Properties of the events of a workload. "Every" says that one of so many is such an event, 0 that none is.
 *
 * @param protectedEvery events whose work is not finished
 * @param lateEvery events that happened up to a day earlier than their neighbours
 * @param ttlEvery events with a TTL of their own, between 2 and 30 days
 * @param repeatEvery records with an id that was there before
 * @param protectedFirst the first so many events are all protected
 * @param hotPercent events of a hundred that go to one stream
 * @param isEachStreamFirst true if the first events go to each stream once
 * @param spanMs the time from the first record to the last
 * @param agoMs time by which events happened before their records
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
        long agoMs) {

    /** 5 % protected, 5 % late, 1 % with an own TTL, 1 % repeated. */
    public static final Mix USUAL =
            new Mix(20, 20, 100, 100, 0, 0, false, Duration.ofHours(1).toMillis(), 0);

    /** Finished work alone, each event once, all at the same moment. */
    public static final Mix PLAIN = new Mix(0, 0, 0, 0, 0, 0, false, 0, 0);

    public Mix withoutTtl() {
        return new Mix(
                protectedEvery,
                lateEvery,
                0,
                repeatEvery,
                protectedFirst,
                hotPercent,
                isEachStreamFirst,
                spanMs,
                agoMs);
    }

    public Mix protectedFirst(int events) {
        return new Mix(
                protectedEvery, lateEvery, ttlEvery, repeatEvery, events, hotPercent, isEachStreamFirst, spanMs, agoMs);
    }

    public Mix hot(int percent) {
        return new Mix(
                protectedEvery,
                lateEvery,
                ttlEvery,
                repeatEvery,
                protectedFirst,
                percent,
                isEachStreamFirst,
                spanMs,
                agoMs);
    }

    public Mix eachStreamFirst() {
        return new Mix(
                protectedEvery, lateEvery, ttlEvery, repeatEvery, protectedFirst, hotPercent, true, spanMs, agoMs);
    }

    public Mix ago(Duration time) {
        return new Mix(
                protectedEvery,
                lateEvery,
                ttlEvery,
                repeatEvery,
                protectedFirst,
                hotPercent,
                isEachStreamFirst,
                spanMs,
                time.toMillis());
    }
}
