package dev.ebb.oracle;

import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Input;
import dev.ebb.oracle.World.Reason;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The deletes of each stream as the audit tells them, in their order; also those of events that never had a row. */
final class Ends {

    /** The id of the explanation of a replaced event names the record that replaced it. */
    private static final Pattern REPLACED = Pattern.compile("replaced-.*events-(\\d+)-(\\d+)-\\d+");

    /** A delete of which the audit knows. Two may be alike, so each is equal to itself alone. */
    static final class End {
        private final String auditId;
        private final String id;
        private final Reason reason;
        private final long atMs;
        private final int place;

        private End(Audit audit, String id, int place) {
            this.auditId = audit.auditId();
            this.id = id;
            this.reason = Explanations.reason(audit);
            this.atMs = audit.atMs();
            this.place = place;
        }

        String id() {
            return id;
        }

        Reason reason() {
            return reason;
        }

        long atMs() {
            return atMs;
        }

        /** Place in the order of all deletes of the stream. */
        int place() {
            return place;
        }

        @Override
        public String toString() {
            return id + " in audit record " + auditId;
        }

        boolean isByCommand() {
            return !reason.commandId().isEmpty();
        }

        /** Returns true if the event went because that record brought another one with its id. */
        boolean isReplacedBy(Input input) {
            Matcher replaced = REPLACED.matcher(auditId);
            return replaced.matches()
                    && Integer.parseInt(replaced.group(1)) == input.partition()
                    && Long.parseLong(replaced.group(2)) == input.offset();
        }
    }

    private final Map<String, List<End>> byStream = new HashMap<>();
    private final Map<String, Integer> taken = new HashMap<>();

    Ends(List<Audit> audits) {
        for (Audit audit : audits) {
            if (audit.action().equals("DELETE") && audit.stream() != null) {
                List<End> ends = byStream.computeIfAbsent(audit.stream(), any -> new ArrayList<>());
                audit.ids().forEach(id -> ends.add(new End(audit, id, ends.size())));
            }
        }
    }

    Set<String> streams() {
        return byStream.keySet();
    }

    /** All deletes of the stream, in their order. */
    List<End> of(String stream) {
        return byStream.getOrDefault(stream, List.of());
    }

    /** Place of the next delete to take. */
    int next(String stream) {
        return taken.getOrDefault(stream, 0);
    }

    boolean isTaken(String stream, End end) {
        return end.place() < next(stream);
    }

    /** Takes the next delete of the stream; null if there is none. */
    End take(String stream) {
        int place = next(stream);
        if (place == of(stream).size()) {
            return null;
        }
        taken.put(stream, place + 1);
        return of(stream).get(place);
    }
}
