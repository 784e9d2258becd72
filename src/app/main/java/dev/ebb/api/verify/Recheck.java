package dev.ebb.api.verify;

import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.Difference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Looks again at rows that differed, after the sinks have taken all that was on its way. Not thread-safe.
 *
 * @param patience the longest wait for the sinks, each time
 * @param findings takes the rows that do not come to rest
 * @param step takes a description of the present step, for people
 */
record Recheck(MirrorCheck sides, Pause pause, Duration patience, Findings findings, Consumer<String> step) {

    /**
     * Records sent until now are in a topic after this time: longer than a commit interval, far longer than a linger.
     */
    private static final Duration SETTLE = Duration.ofSeconds(4);

    private static final Duration POLL = Duration.ofMillis(500);

    /** Returns the rows that differ although no change of them is on its way; all others are right, or were moving. */
    List<Difference> of(List<Difference> rows) {
        List<Difference> confirmed = new ArrayList<>();
        List<Difference> open = rows;
        Duration left = patience;
        while (!open.isEmpty()) {
            left = left.minus(catchUp(left));
            if (left.isNegative()) {
                findings.moving(open, true);
                return confirmed;
            }
            List<Difference> changed = lookAgain(open, confirmed);
            if (left.compareTo(SETTLE) <= 0) {
                findings.moving(changed, false);
                return confirmed;
            }
            open = changed;
        }
        return confirmed;
    }

    /** Adds the confirmed rows to that list, and returns the changed ones. */
    private List<Difference> lookAgain(List<Difference> rows, List<Difference> confirmed) {
        step.accept("rechecking rows that differed");
        List<Difference> changed = new ArrayList<>();
        for (RowChunk chunk : RowChunk.of(rows)) {
            sort(chunk.rows(), sides.look(chunk.stream(), chunk.keys(), chunk.executions()), confirmed, changed);
        }
        return changed;
    }

    private static void sort(
            List<Difference> before, List<Difference> now, List<Difference> confirmed, List<Difference> changed) {
        Map<List<Object>, Difference> byKey = new HashMap<>();
        now.forEach(row -> byKey.put(key(row), row));
        for (Difference row : before) {
            Difference again = byKey.get(key(row));
            if (again != null) {
                (isSame(again, row) && !again.isMoving() ? confirmed : changed).add(again);
            }
        }
    }

    /** Returns the key that tells the row from all others of its stream. */
    private static List<Object> key(Difference row) {
        return Arrays.asList(row.row(), row.execution());
    }

    /** Returns true if the stored row and the difference are the same in both looks. */
    private static boolean isSame(Difference one, Difference other) {
        return one.version().equals(other.version()) && one.what() == other.what();
    }

    /**
     * Waits until SQL has all that is on its way now. Returns the time taken, which is more than allowed if SQL has not
     * caught up.
     */
    private Duration catchUp(Duration allowed) {
        step.accept("waiting for the sinks");
        pause.sleep(SETTLE);
        Duration waited = SETTLE;
        String mark = sides.mark();
        while (!sides.hasPassed(mark)) {
            if (waited.compareTo(allowed) > 0) {
                return waited;
            }
            pause.sleep(POLL);
            waited = waited.plus(POLL);
        }
        return waited.compareTo(allowed) > 0 ? allowed : waited;
    }
}
