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

/** Looks again at rows that differed, after the sinks have taken what was on its way. Not thread-safe. */
final class Confirmation {

    /** Records of this moment are in a topic by then: longer than a commit interval, far longer than a linger. */
    private static final Duration SETTLE = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(500);

    private final MirrorCheck sides;
    private final Pause pause;
    private final Duration patience;
    private final Findings findings;
    private final Consumer<String> step;

    /**
     * @param patience longest wait for the sinks, each time
     * @param findings are told of rows that do not rest
     * @param step is told what is being done, for people
     */
    Confirmation(MirrorCheck sides, Pause pause, Duration patience, Findings findings, Consumer<String> step) {
        this.sides = sides;
        this.pause = pause;
        this.patience = patience;
        this.findings = findings;
        this.step = step;
    }

    /** Rows that differ although nothing of them is on its way; the others are right, or were moving. */
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
        step.accept("looking again at rows that differed");
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

    /** Tells the row from all others of its stream. */
    private static List<Object> key(Difference row) {
        return Arrays.asList(row.row(), row.execution());
    }

    /** Returns true if the stored row, and the difference, are as in the other look. */
    private static boolean isSame(Difference one, Difference other) {
        return one.version().equals(other.version()) && one.what() == other.what();
    }

    /** Waits until SQL has what is on its way now; returns how long that took, more than allowed if it has not. */
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
