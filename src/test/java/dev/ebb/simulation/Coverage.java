package dev.ebb.simulation;

import java.util.Map;
import java.util.TreeMap;

/** Counts what walks have met with, on each thread by itself, so that it can be seen what they are good for. */
final class Coverage {

    private static final ThreadLocal<Map<String, long[]>> COUNTS = ThreadLocal.withInitial(TreeMap::new);

    private Coverage() {}

    static void count(String what) {
        COUNTS.get().computeIfAbsent(what, key -> new long[1])[0]++;
    }

    /** What has been met with, and how often. */
    static String text() {
        StringBuilder text = new StringBuilder();
        COUNTS.get()
                .forEach((what, count) ->
                        text.append(what).append(": ").append(count[0]).append('\n'));
        return text.toString();
    }
}
