package dev.ebb.api.verify;

import dev.ebb.api.verify.Repairs.Repaired;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.DifferencePage;
import dev.ebb.port.MirrorCheck.Group;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowsDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares stores and SQL while both change. Counts and hashes by stream and month come first, and rows only
 * where these differ. A row that differs is at first only a suspect: it is named if, after the sinks have taken all
 * that had been sent when it was seen, the stored row has not changed and SQL still differs. Not thread-safe.
 */
final class Verification {

    /** Suspects that are looked at again together, since each look waits for the sinks. */
    private static final int BATCH = 20_000;

    private final MirrorCheck sides;
    private final int partitions;
    private final Recheck confirmation;
    private final @Nullable Repairs repairs;
    private final Findings findings;
    private final List<Difference> suspects = new ArrayList<>();
    private volatile String doing = "begins";

    /**
     * @param sides both sides, of all partitions
     * @param pause lets time pass
     * @param patience the longest wait for the sinks, each time
     * @param repairs sends differing rows again; null for no repair
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
        this.confirmation = new Recheck(sides, pause, patience, findings, step -> doing = step);
        this.repairs = repairs;
        this.findings = findings;
    }

    /** Returns the present step, for people; may be called from any thread. */
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

    /** Returns the first of all streams that are left; null at the end. */
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
        TreeSet<String> months = new TreeSet<>(stored.keySet());
        months.addAll(inSql.keySet());
        findings.compared(table, rows(stored), rows(inSql), months);
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

    /** Names the confirmed suspects, and repairs them if a repair was asked for. */
    private void settle() {
        List<Difference> confirmed = confirmation.of(List.copyOf(suspects));
        suspects.clear();
        findings.different(confirmed);
        if (repairs != null && !confirmed.isEmpty()) {
            repair(repairs, confirmed);
        }
    }

    private void repair(Repairs with, List<Difference> rows) {
        Repaired sum = Repaired.NOTHING;
        // No record can address the others.
        List<Difference> reachable =
                rows.stream().filter(row -> ByHand.of(row) == null).toList();
        for (RowChunk chunk : RowChunk.of(reachable)) {
            String step = "repairing rows of " + chunk.stream();
            doing = step;
            sum = sum.plus(with.repair(
                    chunk.stream(),
                    chunk.keys(),
                    chunk.executions(),
                    why -> doing = why.isEmpty() ? step : step + ", which waits: " + why));
        }
        List<Difference> left = confirmation.of(rows);
        findings.repaired(sum, rows, left);
    }
}
