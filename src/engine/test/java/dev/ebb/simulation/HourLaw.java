package dev.ebb.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ebb.simulation.AccidentLaw.Key;
import dev.ebb.simulation.AccidentWorld.InForce;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What changes of policies may take without a confirmation: no more than the brake lets through, one by one, and all
 * those of an hour together in each namespace (T-15). An event that comes back and goes again counts once. Not
 * thread-safe.
 */
final class HourLaw {

    /** An hour, less the time between a decision of the brake and the moment at which the change is seen in force. */
    private static final long HOUR_MS = 59 * 60_000;

    private final List<InForce> history;
    private final long most;

    /** The events that each change has taken, by its place in the history. */
    private final Map<Integer, Set<Key>> taken = new HashMap<>();

    HourLaw(List<InForce> history, long most) {
        this.history = history;
        this.most = most;
    }

    /** Counts an event that a change has taken which nobody has confirmed. */
    void took(int change, Key key) {
        Set<Key> own = taken.computeIfAbsent(change, of -> new HashSet<>());
        if (own.add(key)) {
            requireFew(own, change);
            String namespace = key.stream().namespace();
            taken.keySet().stream()
                    .filter(last -> isWithinAnHour(change, last))
                    .forEach(last -> requireFew(takenBefore(last, namespace), last));
        }
    }

    /** A clock that goes back takes no time back: an hour that was over by any change in between is over. */
    private boolean isWithinAnHour(int change, int last) {
        if (change > last) {
            return false;
        }
        long latestMs = history.subList(change, last + 1).stream()
                .mapToLong(InForce::atMs)
                .max()
                .getAsLong();
        return latestMs - history.get(change).atMs() < HOUR_MS;
    }

    private Set<Key> takenBefore(int last, String namespace) {
        return taken.entrySet().stream()
                .filter(change -> isWithinAnHour(change.getKey(), last))
                .flatMap(change -> change.getValue().stream())
                .filter(key -> key.stream().namespace().equals(namespace))
                .collect(Collectors.toSet());
    }

    private void requireFew(Set<Key> keys, int change) {
        assertThat(keys.size())
                .as("events that the change at " + history.get(change).atMs()
                        + ", or those of the hour before, took without a confirmation")
                .isLessThanOrEqualTo((int) most);
    }
}
