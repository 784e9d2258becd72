package dev.ebb.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.generic.GenericRecord;

/** Contents of one stream at a moment, as the model has them. */
final class StreamState {

    /**
     * An event and its place in the order of arrival.
     *
     * @param isUnseen true if it never had a row: it came and went within a transaction, so its {@code storedAt} is a guess
     */
    record Kept(Row row, long arrival, boolean isUnseen) {

        /** Returns true if it had surely come before that time. */
        boolean isThereBefore(long timeMs) {
            return !isUnseen && row.storedAt() < timeMs;
        }
    }

    private static final class Execution {
        private String status;
        private Long completedAt;
        private Long startedAt;

        /** The latest time at which the input, or an event of it, told of it. */
        private long knownAtMs = -1;

        /** True if it was started behind a delete of its stream before which a worker was at it. */
        private boolean isStartedAnew;

        /** An execution without a declaration is at work, but for the implicit one. */
        private Execution(long number) {
            status = number == 0 ? "completed" : "running";
        }
    }

    final String stream;
    final Map<String, Kept> alive = new HashMap<>();

    /** Events whose name was used again before they were seen to go: a command has taken their stream. */
    final Map<Row.Key, Kept> outlived = new HashMap<>();

    private final TreeMap<Long, Execution> executions = new TreeMap<>();

    /** Ends that came behind a delete and wait for events of their execution, by its number (O-10). */
    private final Map<Long, End> waiting = new HashMap<>();

    private long arrivals;

    /** An end of an execution. */
    private record End(GenericRecord update, long timestampMs) {}

    private long lastStoredAt;

    /** Events without a row whose successor is not known yet, by id; and the time by which each of the others had come. */
    private final Map<String, Long> unseen = new HashMap<>();

    private long bytes;
    private int changes;

    /** When a command was seen to have deleted a stream of that name; what is older may come too late (O-10). */
    private long deletedMs = -1;

    StreamState(String stream) {
        this.stream = stream;
    }

    /** Puts an event in the place of the one with its id; returns what is wrong with the time of its storing, or null. */
    String put(Row row) {
        Kept former = alive.get(row.id());
        boolean isReplaced = former != null && former.row().storedAt() == row.storedAt();
        if (former != null && !isReplaced) {
            outlived.put(former.row().key(), former);
        }
        String problem = !isReplaced && row.storedAt() < lastStoredAt
                ? "storedAt " + row.storedAt() + " is before that of an earlier event, " + lastStoredAt
                : null;
        lastStoredAt = Math.max(lastStoredAt, row.storedAt());
        if (!isReplaced) {
            unseen.replaceAll((id, comeByMs) -> Math.min(comeByMs, row.storedAt()));
        }
        put(row, former, isReplaced, false);
        return problem;
    }

    /** Puts an event of which there is no row; {@link #storedAtOfUnseen} says when it may have been stored. */
    void putUnseen(Row row) {
        Kept former = alive.get(row.id());
        if (former != null) {
            outlived.put(former.row().key(), former);
        }
        unseen.put(row.id(), Long.MAX_VALUE);
        put(row, former, false, true);
    }

    private void put(Row row, Kept former, boolean isReplaced, boolean isUnseen) {
        bytes += row.size() - (former == null ? 0 : former.row().size());
        alive.put(row.id(), new Kept(row, isReplaced ? former.arrival() : arrivals++, isUnseen));
        if (row.execution() > 0) {
            Execution execution = executions.computeIfAbsent(row.execution(), Execution::new);
            execution.knownAtMs = Math.max(execution.knownAtMs, row.storedAt());
        }
        End end = waiting.remove(row.execution());
        if (end != null) {
            change(end.update(), end.timestampMs());
        }
        changes++;
    }

    /** The earliest time at which an event without a row may have been stored. */
    long storedAtOfUnseen() {
        return lastStoredAt;
    }

    /** Time by which the event without a row had come; {@link Long#MAX_VALUE} if no later one tells. */
    long comeByMs(String id) {
        return unseen.getOrDefault(id, Long.MAX_VALUE);
    }

    Kept remove(Row.Key key) {
        Kept kept = alive.get(key.id());
        if (kept == null || kept.row().storedAt() != key.storedAt()) {
            return outlived.remove(key);
        }
        bytes -= kept.row().size();
        alive.remove(key.id());
        unseen.remove(key.id());
        changes++;
        return kept;
    }

    void deleted(long atMs) {
        deletedMs = Math.max(deletedMs, atMs);
    }

    boolean isLate(long timestampMs) {
        return timestampMs < deletedMs;
    }

    long bytes() {
        return bytes;
    }

    int changes() {
        return changes;
    }

    void apply(GenericRecord update, long timestampMs) {
        long number = Fields.number(update, "execution");
        Execution known = executions.get(number);
        boolean isOfThisLife = known != null && known.knownAtMs >= deletedMs;
        if (isDoubtful(update)) {
            if (!isOfThisLife && hasNoEventOf(number)) {
                waiting.put(number, new End(update, timestampMs));
                return;
            }
            if (isOfThisLife && known.isStartedAnew && !isOfTurn(update, known)) {
                return;
            }
        }
        waiting.remove(number);
        change(update, timestampMs);
    }

    /** Returns true if a worker that knew of no delete may have sent this end of an execution (O-10). */
    private boolean isDoubtful(GenericRecord update) {
        String status = Fields.text(update, "status");
        Long startedAt = Fields.number(update, "startedAt");
        return deletedMs >= 0
                && status != null
                && !status.isEmpty()
                && Names.isTerminal(status)
                && (startedAt == null || startedAt < deletedMs);
    }

    private static boolean isOfTurn(GenericRecord update, Execution known) {
        return known.startedAt != null && known.startedAt.equals(Fields.number(update, "startedAt"));
    }

    private boolean hasNoEventOf(long execution) {
        return alive.values().stream().noneMatch(kept -> kept.row().execution() == execution);
    }

    private void change(GenericRecord update, long timestampMs) {
        Execution execution = executions.computeIfAbsent(Fields.number(update, "execution"), Execution::new);
        String status = Fields.text(update, "status");
        boolean wasTerminal = Names.isTerminal(execution.status);
        boolean wasAtWork = !wasTerminal && execution.knownAtMs >= 0 && execution.knownAtMs < deletedMs;
        execution.status = status == null || status.isEmpty() ? execution.status : status;
        Long named = Fields.number(update, "completedAt");
        if (!Names.isTerminal(execution.status)) {
            execution.completedAt = null;
            execution.isStartedAnew |= wasAtWork && timestampMs >= deletedMs;
        } else if (named != null || !wasTerminal) {
            execution.completedAt = named != null ? named : (Long) timestampMs;
        }
        Long startedAt = Fields.number(update, "startedAt");
        execution.startedAt = startedAt == null ? execution.startedAt : startedAt;
        execution.knownAtMs = Math.max(execution.knownAtMs, timestampMs);
        changes++;
    }

    boolean isProtected(Row row) {
        Execution execution = executions.get(row.execution());
        return !Names.isTerminal(row.status()) || (execution != null && !Names.isTerminal(execution.status));
    }

    boolean isCurrentExecution(Row row) {
        return !executions.isEmpty() && executions.lastKey() > 0 && executions.lastKey() == row.execution();
    }

    /** Null unless its execution was declared. */
    Long executionCompletedAt(Row row) {
        Execution execution = executions.get(row.execution());
        return execution == null ? null : execution.completedAt;
    }

    long anchorMs(Rules rules, Row row) {
        return rules.anchorMs(row, executionCompletedAt(row));
    }

    /** Returns true if {@code keepLast} keeps it: of events or, in a stream that has executions, of executions. */
    boolean isAmongLast(Rules rules, Kept kept) {
        long keep = rules.keepLast();
        if (keep == Rules.NONE) {
            return false;
        }
        if (!executions.isEmpty() && executions.lastKey() > 0) {
            return executions.tailMap(kept.row().execution(), false).size() < keep;
        }
        return eligible(rules).stream()
                        .filter(other -> isBefore(rules, kept, other))
                        .count()
                < keep;
    }

    /** The events that are neither protected nor kept for ever. */
    List<Kept> eligible(Rules rules) {
        List<Kept> eligible = new ArrayList<>();
        for (Kept kept : alive.values()) {
            if (!isProtected(kept.row()) && !rules.isInfinite(kept.row())) {
                eligible.add(kept);
            }
        }
        return eligible;
    }

    /** The order of deletion (M-14). */
    boolean isBefore(Rules rules, Kept one, Kept other) {
        if (one.row().execution() != other.row().execution()) {
            return one.row().execution() < other.row().execution();
        }
        long mine = anchorMs(rules, one.row());
        long theirs = anchorMs(rules, other.row());
        return mine != theirs ? mine < theirs : one.arrival() < other.arrival();
    }
}
