package dev.ebb.api.verify;

import dev.ebb.api.verify.Repairs.Repaired;
import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.wire.instance.VerificationView.Repair;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.Row;
import dev.ebb.wire.instance.VerificationView.Sums;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Results of a comparison so far. Any thread may read the counters; all else belongs to one thread. */
final class Findings {

    private final int mostNamed;
    private final Map<MirrorTable, Sums> rows = new EnumMap<>(MirrorTable.class);
    private final List<Row> named = new ArrayList<>();
    private final List<Row> moving = new ArrayList<>();
    private volatile long streams;
    private volatile long differences;
    private long unhealed;
    private long movingRows;
    private Repaired repaired = Repaired.NOTHING;
    private boolean isBehind;

    /** @param mostNamed most differences that are kept by name; all others are counted, and repaired as well */
    Findings(int mostNamed) {
        this.mostNamed = mostNamed;
    }

    long streams() {
        return streams;
    }

    long differences() {
        return differences;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void compared(MirrorTable table, long stored, long inSql) {
        streams++;
        Sums before = sums(table);
        rows.put(table, new Sums(before.stored() + stored, before.sql() + inSql));
    }

    private Sums sums(MirrorTable table) {
        return rows.getOrDefault(table, new Sums(0, 0));
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void different(List<Difference> found) {
        differences += found.size();
        unhealed += found.size();
        name(found, named);
    }

    /** Notes rows that did not come to rest; {@code isBehind} is true if the sinks did not catch up. */
    void moving(List<Difference> found, boolean isBehind) {
        movingRows += found.size();
        name(found, moving);
        this.isBehind |= isBehind;
    }

    private void name(List<Difference> found, List<Row> names) {
        found.stream()
                .limit(Math.max(0, mostNamed - names.size()))
                .map(Findings::row)
                .forEach(names::add);
    }

    private static Row row(Difference difference) {
        RowKey key = difference.row();
        return new Row(
                difference.stream(),
                key == null ? null : key.storedAt(),
                key == null ? null : key.eventId(),
                difference.execution(),
                difference.what(),
                difference.fields(),
                (key == null ? MirrorTable.EXECUTIONS : MirrorTable.EVENTS).tableName());
    }

    void repaired(Repaired more, long healed) {
        repaired = repaired.plus(more);
        unhealed -= healed;
    }

    /** @param isRepair true if a repair was asked for */
    Result result(boolean isRepair) {
        return new Result(
                differences == 0 && !isBehind,
                sums(MirrorTable.EVENTS),
                sums(MirrorTable.EXECUTIONS),
                differences,
                List.copyOf(named),
                differences - named.size(),
                movingRows,
                List.copyOf(moving),
                isBehind,
                isRepair ? new Repair(repaired.sent(), repaired.removed(), unhealed) : null);
    }
}
