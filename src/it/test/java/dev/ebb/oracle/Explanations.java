package dev.ebb.oracle;

import dev.ebb.oracle.World.Audit;
import dev.ebb.oracle.World.Reason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The audit records of deletes, each id of which explains one deletion (I-5). */
final class Explanations {

    private record Deleted(String stream, String id, Reason reason) {}

    private static final class Run {
        private final Audit audit;
        private long found;
        private long bytes;
        private long oldest = Long.MAX_VALUE;
        private long newest = Long.MIN_VALUE;

        /** True if it tells of an event whose anchor is not known, since it never had a row. */
        private boolean isInexact;

        private Run(Audit audit) {
            this.audit = audit;
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private final Map<Deleted, Deque<Run>> open = new HashMap<>();
    private final Set<String> repaired = new HashSet<>();
    private final List<String> differences = new ArrayList<>();

    Explanations(List<Audit> audits) {
        Set<String> ids = new HashSet<>();
        for (Audit audit : audits) {
            if (!ids.add(audit.auditId())) {
                differences.add("audit record " + audit.auditId() + " was sent twice");
            }
            if (audit.action().equals("DELETE")) {
                Run run = new Run(audit);
                runs.add(run);
                audit.ids().forEach(id -> open.computeIfAbsent(deleted(audit, id), any -> new ArrayDeque<>())
                        .add(run));
            } else if (audit.stream() != null) {
                audit.ids().forEach(id -> repaired.add(audit.stream() + "\n" + id));
            }
        }
    }

    static Reason reason(Audit audit) {
        return new Reason(audit.cause(), audit.scope(), audit.policyVersion(), audit.sweepId(), audit.commandId());
    }

    private static Deleted deleted(Audit audit, String id) {
        return new Deleted(audit.stream(), id, reason(audit));
    }

    /** Returns true if a repair sent the rows of that event again. */
    boolean isRepaired(Row.Key key) {
        return repaired.contains(key.stream() + "\n" + key.id());
    }

    /**
     * Takes one explanation away; returns false if there is none.
     *
     * @param isExact false if the anchor may be another one
     */
    boolean explain(Row row, Reason reason, long anchorMs, boolean isExact) {
        Deque<Run> explanations = open.get(new Deleted(row.stream(), row.id(), reason));
        if (explanations == null) {
            return false;
        }
        Run run = explanations.removeFirst();
        if (explanations.isEmpty()) {
            open.remove(new Deleted(row.stream(), row.id(), reason));
        }
        run.found++;
        run.bytes += row.size();
        if (isExact) {
            run.oldest = Math.min(run.oldest, anchorMs);
            run.newest = Math.max(run.newest, anchorMs);
        }
        run.isInexact |= !isExact;
        return true;
    }

    /** Explanations of deletes that did not happen, and sums that do not add up. */
    List<String> differences() {
        List<String> all = new ArrayList<>(differences);
        open.forEach((deleted, left) -> left.forEach(run -> all.add("audited once too often or never deleted: "
                + deleted.stream() + " " + deleted.id() + " in " + run.audit.auditId() + " " + deleted.reason())));
        for (Run run : runs) {
            Audit audit = run.audit;
            if (run.found == audit.ids().size()) {
                boolean isByPolicy = audit.commandId().isEmpty();
                boolean isRight = run.bytes == audit.bytes() && (!isByPolicy || hasRightAnchors(run));
                if (!isRight) {
                    all.add("audit record " + audit.auditId() + " says " + audit.bytes() + " bytes, anchors "
                            + audit.oldestAnchor() + " to " + audit.newestAnchor() + "; they were " + run.bytes + ", "
                            + run.oldest + " to " + run.newest);
                }
            }
        }
        return all;
    }

    private static boolean hasRightAnchors(Run run) {
        Long oldest = run.audit.oldestAnchor();
        Long newest = run.audit.newestAnchor();
        if (oldest == null || newest == null) {
            return false;
        }
        return run.isInexact
                ? run.oldest >= oldest && run.newest <= newest
                : run.oldest == oldest && run.newest == newest;
    }
}
