package dev.ebb.it;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Compares thousands of things and names the first few that differ. */
final class Differences {

    private static final int SHOWN = 12;

    private Differences() {}

    /** Entries that only one of the two has, or has more often; empty if nothing. Order does not count. */
    static String between(String one, Collection<?> first, String other, Collection<?> second) {
        Map<String, Integer> surplus = new TreeMap<>();
        first.forEach(element -> surplus.merge(element.toString(), 1, Integer::sum));
        second.forEach(element -> surplus.merge(element.toString(), -1, Integer::sum));
        surplus.values().removeIf(count -> count == 0);
        if (surplus.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append(surplus.size()).append(" differences between ");
        text.append(one).append(" (").append(first.size()).append(") and ");
        text.append(other).append(" (").append(second.size()).append("):");
        surplus.entrySet().stream().limit(SHOWN).forEach(entry -> text.append("\n  ")
                .append(Math.abs(entry.getValue()))
                .append(" x only in ")
                .append(entry.getValue() > 0 ? one : other)
                .append(": ")
                .append(entry.getKey()));
        return text.toString();
    }
}
