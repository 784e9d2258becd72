package dev.ebb.api.verify;

import dev.ebb.api.verify.Repairs.Repaired;
import dev.ebb.domain.command.RowKey;
import dev.ebb.domain.event.StreamName;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.DifferencePage;
import dev.ebb.port.MirrorCheck.Group;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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

    private final MirrorCheck sides;
    private final int partitions;
    private final Pause pause;
    private final Duration patience;
    private final @Nullable Repairs repairs;
    private final Findings findings;
    private final List<Difference> suspects = new ArrayList<>();
    private volatile String doing = "begins";

    /**
     * @param sides both sides, of all partitions
     * @param pause how time passes
     * @param patience how long the sinks are waited for, each time
     * @param repairs sends again what differs; null if nothing is to be repaired
     */
    Verification(
            MirrorCheck sides,
            int partitions,
            Pause pause,
            Duration patience,
            @Nullable Repairs repairs,
            Findings findings) {
        this.sides = sides;
        this.partitions = partitions;
        this.pause = pause;
        this.patience = patience;
        this.repairs = repairs;
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
        doing = "comparing " + table.tableName() + " rows";
        List<StreamDigests> stored = IntStream.range(0, partitions)
                .mapToObj(partition -> new StreamDigests(after -> sides.stored(partition, table, after)))
                .toList();
        StreamDigests inSql = new StreamDigests(after -> sides.inSql(table, after));
        String stream = first(stored, inSql);
        while (stream != null) {
            Map<String, RowsDigest> inStore = new HashMap<>();
            for (StreamDigests partition : stored) {
                partition.take(stream).forEach((month, digest) -> inStore.merge(month, digest, RowsDigest::plus));
            }
            compare(table, stream, inStore, inSql.take(stream));
            stream = first(stored, inSql);
        }
    }

    /** The first stream of all that are left; null at the end. */
    private static @Nullable String first(List<StreamDigests> stored, StreamDigests inSql) {
        String first = inSql.stream();
        for (StreamDigests partition : stored) {
            String stream = partition.stream();
            if (first == null || (stream != null && StreamDigests.BY_BYTES.compare(stream, first) < 0)) {
                first = stream;
            }
        }
        return first;
    }

    private void compare(
            MirrorTable table, String stream, Map<String, RowsDigest> stored, Map<String, RowsDigest> inSql) {
        findings.compared(table, rows(stored), rows(inSql));
        TreeSet<String> months = new TreeSet<>(stored.keySet());
        months.addAll(inSql.keySet());
        for (String month : months) {
            if (!stored.getOrDefault(month, RowsDigest.NONE).equals(inSql.getOrDefault(month, RowsDigest.NONE))) {
                suspect(new Group(table, stream, month));
            }
        }
    }

    private static long rows(Map<String, RowsDigest> months) {
        return months.values().stream().mapToLong(RowsDigest::rows).sum();
    }

    private void suspect(Group group) {
        @Nullable String after = null;
        do {
            DifferencePage page = sides.differences(group, after);
            suspects.addAll(page.differences());
            if (suspects.size() >= BATCH) {
                settle();
            }
            after = page.next();
        } while (after != null);
    }

    /** Names the suspects that are confirmed, and has them repaired if that is asked for. */
    private void settle() {
        List<Difference> confirmed = confirm(List.copyOf(suspects));
        suspects.clear();
        findings.different(confirmed);
        if (repairs != null && !confirmed.isEmpty()) {
            repair(repairs, confirmed);
        }
    }

    private void repair(Repairs with, List<Difference> rows) {
        Repaired sum = Repaired.NOTHING;
        for (List<Difference> chunk : chunks(rows)) {
            String stream = chunk.get(0).stream();
            doing = "repairing rows of " + stream;
            // For a name that no stream can have, no partition carries out a command.
            if (StreamName.problem(stream) == null) {
                sum = sum.plus(with.repair(stream, keys(chunk), executions(chunk)));
            }
        }
        List<Difference> left = confirm(rows);
        findings.repaired(sum, rows.size() - (long) left.size());
    }

    /** Rows that differ although nothing of them is on its way; the others are right, or were moving. */
    private List<Difference> confirm(List<Difference> rows) {
        List<Difference> confirmed = new ArrayList<>();
        List<Difference> open = rows;
        Duration left = patience;
        while (!open.isEmpty()) {
            left = left.minus(catchUp(left));
            if (left.isNegative()) {
                findings.moving(open, true);
                return confirmed;
            }
            List<Difference> changed = new ArrayList<>();
            doing = "looking again at rows that differed";
            for (List<Difference> chunk : chunks(open)) {
                sort(chunk, look(chunk), confirmed, changed);
            }
            if (left.compareTo(SETTLE) <= 0) {
                findings.moving(changed, false);
                return confirmed;
            }
            open = changed;
        }
        return confirmed;
    }

    private List<Difference> look(List<Difference> chunk) {
        return sides.look(chunk.get(0).stream(), keys(chunk), executions(chunk));
    }

    private static List<RowKey> keys(List<Difference> rows) {
        return rows.stream().map(Difference::row).filter(Objects::nonNull).toList();
    }

    private static List<Long> executions(List<Difference> rows) {
        return rows.stream().map(Difference::execution).filter(Objects::nonNull).toList();
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

    /** Whether the stored row, and the difference, are as in the other look. */
    private static boolean isSame(Difference one, Difference other) {
        return one.version().equals(other.version()) && one.what() == other.what();
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

    /** Rows of one stream, so many that one request takes them. */
    private static List<List<Difference>> chunks(List<Difference> rows) {
        Map<String, List<Difference>> byStream = new LinkedHashMap<>();
        rows.forEach(row -> byStream.computeIfAbsent(row.stream(), stream -> new ArrayList<>())
                .add(row));
        List<List<Difference>> chunks = new ArrayList<>();
        for (List<Difference> ofStream : byStream.values()) {
            for (int i = 0; i < ofStream.size(); i += ROWS_AT_ONCE) {
                chunks.add(ofStream.subList(i, Math.min(ofStream.size(), i + ROWS_AT_ONCE)));
            }
        }
        return chunks;
    }
}
