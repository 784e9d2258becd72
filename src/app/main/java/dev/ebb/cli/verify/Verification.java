package dev.ebb.cli.verify;

import dev.ebb.cli.terminal.Texts;
import dev.ebb.cli.verify.Sides.Repaired;
import dev.ebb.domain.event.StreamName;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares stores and SQL while both change. Counts and hashes by stream and month come first; only where they
 * differ, row by row. A row that differs then is suspected and no more: it is named only if the stored row has not
 * changed after the sinks have taken all that was sent when it was seen, and SQL is still different. Not thread-safe.
 */
final class Verification {

    /** Suspects that are looked at again together, since each time the sinks are waited for. */
    private static final int BATCH = 20_000;

    private static final int ROWS_AT_ONCE = 500;

    /** Records of this moment are in a topic by then: longer than a commit interval, far longer than a linger. */
    private static final Duration SETTLE = Duration.ofSeconds(2);

    private static final Duration POLL = Duration.ofMillis(500);

    private final Sides sides;
    private final Pause pause;
    private final Duration patience;
    private final boolean isRepair;
    private final Findings findings;
    private final List<DifferentRow> suspects = new ArrayList<>();
    private volatile String doing = "begins";

    /**
     * @param pause how time passes
     * @param patience how long the sinks are waited for, each time
     * @param isRepair whether what differs is sent again
     */
    Verification(Sides sides, Pause pause, Duration patience, boolean isRepair, Findings findings) {
        this.sides = sides;
        this.pause = pause;
        this.patience = patience;
        this.isRepair = isRepair;
        this.findings = findings;
    }

    /** How time passes. */
    interface Pause {

        /** Returns when so much time has passed. */
        void sleep(Duration time);
    }

    /** The present step, for people; may be asked from any thread. */
    String doing() {
        return doing;
    }

    void run() {
        for (MirrorTable table : MirrorTable.values()) {
            compare(table);
        }
        settle();
    }

    private void compare(MirrorTable table) {
        MergedRows stored = new MergedRows(IntStream.range(0, sides.partitions())
                .mapToObj(partition -> sides.stored(partition, table))
                .toList());
        MergedRows inSql = new MergedRows(List.of(sides.inSql(table)));
        StreamRows store = stored.peek();
        StreamRows sql = inSql.peek();
        while (store != null || sql != null) {
            doing = "comparing " + table.tableName() + " rows";
            int order = order(store, sql);
            compare(table, order <= 0 ? store : null, order >= 0 ? sql : null);
            if (order <= 0) {
                stored.advance();
            }
            if (order >= 0) {
                inSql.advance();
            }
            store = stored.peek();
            sql = inSql.peek();
        }
    }

    private static int order(@Nullable StreamRows store, @Nullable StreamRows sql) {
        if (store == null || sql == null) {
            return store == null ? 1 : -1;
        }
        return StreamRows.BY_BYTES.compare(store.stream(), sql.stream());
    }

    private void compare(MirrorTable table, @Nullable StreamRows store, @Nullable StreamRows sql) {
        Map<String, RowsDigest> stored = store == null ? Map.of() : store.months();
        Map<String, RowsDigest> inSql = sql == null ? Map.of() : sql.months();
        findings.compared(table, store == null ? 0 : store.rows(), sql == null ? 0 : sql.rows());
        TreeSet<String> months = new TreeSet<>(stored.keySet());
        months.addAll(inSql.keySet());
        for (String month : months) {
            if (!stored.getOrDefault(month, RowsDigest.NONE).equals(inSql.getOrDefault(month, RowsDigest.NONE))) {
                suspect(table, store != null ? store.stream() : String.valueOf(sql == null ? "" : sql.stream()), month);
            }
        }
    }

    private void suspect(MirrorTable table, String stream, String month) {
        Iterator<DifferentRow> rows = sides.differences(table, stream, month);
        while (rows.hasNext()) {
            suspects.add(rows.next());
            if (suspects.size() == BATCH) {
                settle();
            }
        }
    }

    /** Names the suspects that are confirmed, and has them repaired if that is asked for. */
    private void settle() {
        List<DifferentRow> confirmed = confirm(List.copyOf(suspects));
        suspects.clear();
        findings.different(confirmed);
        if (isRepair && !confirmed.isEmpty()) {
            repair(confirmed);
        }
    }

    private void repair(List<DifferentRow> rows) {
        Repaired sum = new Repaired(0, 0);
        for (List<DifferentRow> chunk : chunks(rows)) {
            doing = "repairing rows of " + chunk.get(0).stream();
            // For a name that no stream can have, no partition carries out a command.
            if (StreamName.problem(chunk.get(0).stream()) == null) {
                sum = sum.plus(sides.repair(chunk));
            }
        }
        List<DifferentRow> left = confirm(rows);
        findings.repaired(sum, rows.size() - (long) left.size());
    }

    /** Rows that differ although nothing of them is on its way; the others are right, or were moving. */
    private List<DifferentRow> confirm(List<DifferentRow> rows) {
        List<DifferentRow> confirmed = new ArrayList<>();
        List<DifferentRow> open = rows;
        Duration left = patience;
        while (!open.isEmpty()) {
            left = left.minus(catchUp(left));
            if (left.isNegative()) {
                findings.moving(open, true);
                return confirmed;
            }
            List<DifferentRow> changed = new ArrayList<>();
            for (List<DifferentRow> chunk : chunks(open)) {
                doing = "looking again at " + Texts.counted(open.size(), "row");
                sort(chunk, sides.look(chunk), confirmed, changed);
            }
            if (left.compareTo(SETTLE) <= 0) {
                findings.moving(changed, false);
                return confirmed;
            }
            open = changed;
        }
        return confirmed;
    }

    private static void sort(
            List<DifferentRow> before,
            List<DifferentRow> now,
            List<DifferentRow> confirmed,
            List<DifferentRow> changed) {
        Map<String, DifferentRow> byKey = new LinkedHashMap<>();
        now.forEach(row -> byKey.put(row.key(), row));
        for (DifferentRow row : before) {
            DifferentRow again = byKey.get(row.key());
            if (again != null) {
                (again.isSameAs(row) && !again.isMoving() ? confirmed : changed).add(again);
            }
        }
    }

    /** Waits until SQL has what is on its way now; returns how long that took, more than allowed if it has not. */
    private Duration catchUp(Duration allowed) {
        doing = "waiting for the sinks";
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

    /** Rows of one table and stream, so many that one request takes them. */
    private static List<List<DifferentRow>> chunks(List<DifferentRow> rows) {
        Map<String, List<DifferentRow>> byStream = new LinkedHashMap<>();
        rows.forEach(row -> byStream.computeIfAbsent(row.table() + row.stream(), key -> new ArrayList<>())
                .add(row));
        List<List<DifferentRow>> chunks = new ArrayList<>();
        for (List<DifferentRow> ofStream : byStream.values()) {
            for (int i = 0; i < ofStream.size(); i += ROWS_AT_ONCE) {
                chunks.add(ofStream.subList(i, Math.min(ofStream.size(), i + ROWS_AT_ONCE)));
            }
        }
        return chunks;
    }
}
