package dev.ebb.simulation;

import dev.ebb.domain.event.StreamName;
import java.util.List;

/** Random choices from a seed: as quick as can be, and the same everywhere. Not thread-safe. */
final class Draw {

    /** Few enough that they meet; every second one has executions. */
    static final List<String> STREAMS = List.of("orders/1", "orders/2", "jobs", "audit/é", "cache/x/y", "cache/2");

    private static final List<StreamName> NAMES =
            STREAMS.stream().map(StreamName::new).toList();

    private long state;

    Draw(long seed) {
        next(seed);
    }

    /** From here on another sequence. */
    void next(long seed) {
        // Neighbouring seeds must not begin in one sequence a step apart.
        long mixed = (seed ^ (seed >>> 32)) * 0xD6E8FEB86659FD93L;
        mixed = (mixed ^ (mixed >>> 32)) * 0xD6E8FEB86659FD93L;
        state = mixed ^ (mixed >>> 32);
    }

    long number() {
        state += 0x9E3779B97F4A7C15L;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    int below(int bound) {
        return (int) ((number() >>> 33) % bound);
    }

    boolean oneIn(int cases) {
        return below(cases) == 0;
    }

    boolean either() {
        return oneIn(2);
    }

    <T> T of(List<T> all) {
        return all.get(below(all.size()));
    }

    StreamName stream() {
        return of(NAMES);
    }

    static boolean hasExecutions(StreamName stream) {
        return STREAMS.indexOf(stream.value()) % 2 == 1;
    }
}
