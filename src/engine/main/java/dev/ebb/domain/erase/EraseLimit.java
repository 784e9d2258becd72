package dev.ebb.domain.erase;

import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.change.NamespaceLoss;
import java.util.Map;

/**
 * The most events that an erasure may take from the store of one partition after its count (T-15).
 *
 * @param events the most in all
 * @param namespaces the most by namespace; {@link NamespaceLoss#OTHERS} stands for those that are not named
 */
public record EraseLimit(long events, Map<String, Long> namespaces) {

    public EraseLimit {
        namespaces = Snapshot.of(namespaces);
    }

    /** Returns a limit that does not care about namespaces. */
    public static EraseLimit inAll(long events) {
        return new EraseLimit(events, Map.of(NamespaceLoss.OTHERS, events));
    }

    /** Returns the most events that may go from the namespace. */
    public long in(String namespace) {
        Long named = namespaces.get(namespace);
        return named == null ? namespaces.getOrDefault(NamespaceLoss.OTHERS, 0L) : named;
    }
}
