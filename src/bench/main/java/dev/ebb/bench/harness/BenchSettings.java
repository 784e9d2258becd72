package dev.ebb.bench.harness;

import dev.ebb.bench.load.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Settings of a measurement.
 *
 * @param folder where the data of the services is put, in a folder of its own that goes with them
 * @param length time and number of runs
 * @param seed seed of the events
 * @param events number of events that are sent, at least 1; empty for as many as fit the length
 */
public record BenchSettings(Path folder, Length length, long seed, OptionalInt events) {

    private static final int SHORT_PAIRS = 3;

    /** Runs of a measurement in the short form begin within so long: all of them together take less than half an hour. */
    private static final Duration SHORT_TIME = Duration.ofSeconds(30);

    private static final int LONG_PAIRS = 5;

    public BenchSettings {
        if (events.isPresent() && events.getAsInt() < 1) {
            throw new IllegalArgumentException("events must be at least 1, was " + events.getAsInt());
        }
    }

    /** The time in which runs may begin, from now on: bounded in the short form. */
    public TimeLimit timeFromNow() {
        return length == Length.SHORT ? TimeLimit.of(SHORT_TIME) : TimeLimit.NONE;
    }

    /** Time that a measurement may take. */
    public enum Length {
        /** As short as it can be: shows that it works, not how fast. */
        ONCE,
        /** Some minutes for each measurement. */
        SHORT,
        /** As long as it takes for figures that can be shown. */
        LONG
    }

    public int pairs() {
        return byLength(1, SHORT_PAIRS, LONG_PAIRS);
    }

    /** Pairs of runs with an opponent against which nothing is asked. */
    public int reportedPairs() {
        return byLength(1, 1, LONG_PAIRS);
    }

    /** The one of three values that fits the length. */
    public <T> T byLength(T once, T inShort, T inLong) {
        return switch (length) {
            case ONCE -> once;
            case SHORT -> inShort;
            case LONG -> inLong;
        };
    }

    public boolean isLong() {
        return length == Length.LONG;
    }

    /** Number of events: the one that was asked for, or else as many as fit the length. */
    public int events(int inShort, int inLong) {
        return events.orElse(isLong() ? inLong : inShort);
    }

    /** A workload of so many usual events, the last of which is sent now. */
    public Workload workload(int events, int streams, int partitions) {
        return new Workload(seed, events, streams, partitions, System.currentTimeMillis());
    }
}
