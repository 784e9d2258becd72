package dev.ebb.topology.parking;

import dev.ebb.domain.event.Wait;
import dev.ebb.domain.time.Durations;
import dev.ebb.store.parking.ParkedStream;
import java.util.LinkedHashSet;
import java.util.Set;

/** Streams that wait for the same thing, in the order in which they began to wait. Not thread-safe. */
final class WaitGroup {

    private static final long FIRST_RETRY_MS = 100;
    private static final long MAX_RETRY_MS = 10_000;
    private static final int MAX_DOUBLINGS = 20;

    private final Set<ParkedStream> streams = new LinkedHashSet<>();
    private Wait wait;
    private long records;
    private boolean isReady;
    private int failures;
    private long nextTryMs;

    WaitGroup(Wait wait) {
        this.wait = wait;
    }

    Wait waitsFor() {
        return wait;
    }

    /** Sets the reason to wait as it is known now. */
    void waitsFor(Wait now) {
        wait = now;
    }

    Set<ParkedStream> streams() {
        return streams;
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    ParkedStream first() {
        return streams.iterator().next();
    }

    void add(ParkedStream stream) {
        streams.add(stream);
        records += stream.records();
    }

    void remove(ParkedStream stream) {
        streams.remove(stream);
        records -= stream.records();
    }

    /** Moves the stream behind the others. */
    void putLast(ParkedStream stream) {
        streams.remove(stream);
        streams.add(stream);
    }

    /** Returns the number of waiting records of these streams. */
    long records() {
        return records;
    }

    void countRecords(int more) {
        records += more;
    }

    boolean isReady() {
        return isReady;
    }

    void ready() {
        isReady = true;
    }

    /** Notes that the group was tried and still waits. */
    void failed(long nowMs) {
        isReady = false;
        nextTryMs = nowMs + Math.min(MAX_RETRY_MS, FIRST_RETRY_MS << Math.min(failures, MAX_DOUBLINGS));
        failures++;
    }

    /** Notes that a record of the group could be taken in. */
    void succeeded() {
        failures = 0;
    }

    boolean isTried(long nowMs) {
        return Durations.isOver(nextTryMs, MAX_RETRY_MS, nowMs);
    }

    /** Makes the group be tried again at once, whatever came of earlier tries. */
    void tryAtOnce() {
        failures = 0;
        nextTryMs = 0;
    }
}
