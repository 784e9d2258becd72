package dev.ebb.simulation;

import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what all walks of this process have met with, so that it can be seen what they are good for. Thread-safe. */
final class Coverage {

    private static final ConcurrentSkipListMap<String, LongAdder> COUNTS = new ConcurrentSkipListMap<>();

    private Coverage() {}

    static void count(String what) {
        COUNTS.computeIfAbsent(what, key -> new LongAdder()).increment();
    }

    /** Situations that walks have met, and how often. */
    static String text() {
        StringBuilder text = new StringBuilder();
        COUNTS.forEach(
                (what, count) -> text.append(what).append(": ").append(count).append('\n'));
        return text.toString();
    }
}
