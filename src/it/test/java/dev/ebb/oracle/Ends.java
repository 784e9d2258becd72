package dev.ebb.oracle;

import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Reason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The deletes of each stream as the audit tells them, in their order; also those of events that never had a row. */
final class Ends {

    /** A delete of which the audit knows. */
    record End(String id, Reason reason, long atMs) {}

    private final Map<String, Deque<End>> byStream = new HashMap<>();

    Ends(List<Audit> audits) {
        for (Audit audit : audits) {
            if (audit.action().equals("DELETE") && audit.stream() != null) {
                Deque<End> ends = byStream.computeIfAbsent(audit.stream(), any -> new ArrayDeque<>());
                audit.ids().forEach(id -> ends.add(new End(id, Explanations.reason(audit), audit.atMs())));
            }
        }
    }

    Set<String> streams() {
        return byStream.keySet();
    }

    /** Returns true if an event of that id is still to go. */
    boolean awaits(String stream, String id) {
        return ends(stream).stream().anyMatch(end -> end.id().equals(id));
    }

    boolean awaits(String stream, String id, Reason reason) {
        return ends(stream).stream().anyMatch(end -> isOf(end, id, reason));
    }

    static boolean isOf(End end, String id, Reason reason) {
        return end.id().equals(id) && end.reason().equals(reason);
    }

    /** Takes the next delete of the stream; null if there is none. */
    End take(String stream) {
        return ends(stream).poll();
    }

    private Deque<End> ends(String stream) {
        return byStream.getOrDefault(stream, new ArrayDeque<>(0));
    }
}
