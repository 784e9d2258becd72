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
 * @param isWhole true if all are measured one after the other; in the short form each of them gets less time then, and
 *     comparisons of which nothing is asked are left out
 * @param seed seed of the events
 * @param events number of events that are sent, at least 1; empty for as many as fit the length
 */
public record BenchSettings(Path folder, Length length, boolean isWhole, long seed, OptionalInt events) {

    private static final int SHORT_PAIRS = 3;

    /** Runs of a comparison begin within so long where all are measured in the short form, which takes half an hour. */
    private static final Duration TIME_OF_EACH = Duration.ofSeconds(20);

    /** The same for a measurement that is asked for by its name: code has the time to become warm. */
    private static final Duration TIME_OF_ONE = Duration.ofMinutes(2);

    private static final int LONG_PAIRS = 5;

    public BenchSettings {
        if (events.isPresent() && events.getAsInt() < 1) {
            throw new IllegalArgumentException("events must be at least 1, was " + events.getAsInt());
        }
    }

    /** The time in which runs may begin, from now on: bounded in the short form. */
    public TimeLimit timeFromNow() {
        if (length != Length.SHORT) {
            return TimeLimit.NONE;
        }
        return TimeLimit.of(isWhole ? TIME_OF_EACH : TIME_OF_ONE);
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

    /** Whether opponents against which nothing is asked are measured: not in the short form of all. */
    public boolean hasReported() {
        return !isWhole || length != Length.SHORT;
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

    /** The same, with two thirds in the short form of all: for what takes long, and says no less with fewer. */
    public int fewerEvents(int inShort, int inLong) {
        return events(isWhole ? inShort / 3 * 2 : inShort, inLong);
    }

    /** A workload of so many usual events, the last of which is sent now. */
    public Workload workload(int events, int streams, int partitions) {
        return new Workload(seed, events, streams, partitions, System.currentTimeMillis());
    }
}
