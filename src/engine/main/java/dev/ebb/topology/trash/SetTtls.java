package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.time.Durations;
import dev.ebb.domain.undo.TrashSum;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.NamespaceTotals;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Notes on the namespaces of a partition in which commands have set TTLs: deletes by such a TTL can be undone, so they
 * wait while the trash takes no records (T-5). One note serves all streams of a namespace; it is forgotten once the
 * namespace has no event, stored or in the trash. Not thread-safe.
 */
public final class SetTtls {

    private static final String NOTE = "set-ttl-in/";
    private static final byte[] SET = {1};

    /** Time between two looks for notes that are not necessary any more. */
    private static final long FORGET_PERIOD_MS = Duration.ofHours(1).toMillis();

    private final EventStore store;
    private long nextForgetMs;

    public SetTtls(EventStore store) {
        this.store = store;
    }

    /** Notes that a command sets the TTL of an event of the stream. */
    public void note(StreamName stream) {
        if (!isNoted(stream)) {
            store.savePending(NOTE + stream.namespace(), SET);
        }
    }

    /** Returns true if a command may have set the TTL of an event of the stream. */
    boolean isNoted(StreamName stream) {
        return store.pending().containsKey(NOTE + stream.namespace());
    }

    /**
     * Forgets the namespaces without events, now and then.
     *
     * @param book counts the deletes that can be undone: what comes back has its TTL again
     */
    void forget(TrashBook book, long nowMs) {
        if (!Durations.isOver(nextForgetMs, FORGET_PERIOD_MS, nowMs) || store.hasRetired()) {
            return; // events of deleted streams are in no count until they are in the trash
        }
        nextForgetMs = Durations.after(nowMs, FORGET_PERIOD_MS);
        List<String> noted = store.pending().keySet().stream()
                .filter(name -> name.startsWith(NOTE))
                .toList();
        if (noted.isEmpty()) {
            return;
        }
        Map<String, NamespaceTotals> totals = store.namespaceTotals();
        Set<String> inTrash = book.sums().stream().map(TrashSum::namespace).collect(Collectors.toSet());
        if (!inTrash.contains(TrashSum.OTHERS)) {
            noted.stream()
                    .filter(name -> isOver(name.substring(NOTE.length()), totals, inTrash))
                    .forEach(name -> store.savePending(name, null));
        }
    }

    private static boolean isOver(String namespace, Map<String, NamespaceTotals> totals, Set<String> inTrash) {
        return totals.getOrDefault(namespace, NamespaceTotals.NOTHING).events() == 0 && !inTrash.contains(namespace);
    }
}
