package dev.ebb.api.verify;

import dev.ebb.api.verify.Repairs.Repaired;
import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.Refusals;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.wire.instance.VerificationView.Compared;
import dev.ebb.wire.instance.VerificationView.Repair;
import dev.ebb.wire.instance.VerificationView.Result;
import dev.ebb.wire.instance.VerificationView.Row;
import dev.ebb.wire.instance.VerificationView.Sums;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Results of a comparison so far. Any thread may read the counters; all else belongs to one thread. */
final class Findings {

    private final int mostNamed;
    private final Map<MirrorTable, Sums> rows = new EnumMap<>(MirrorTable.class);
    private final List<Row> named = new ArrayList<>();
    private final List<Row> moving = new ArrayList<>();
    private volatile long streams;
    private volatile long differences;
    private long eventStreams;
    private final Set<List<Object>> unhealedRows = new HashSet<>();
    private final TreeSet<String> months = new TreeSet<>();
    private long executionStreams;
    private long groups;
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
    void compared(MirrorTable table, long stored, long inSql, Set<String> ofMonths) {
        streams++;
        if (table == MirrorTable.EVENTS) {
            eventStreams++;
            groups += ofMonths.size();
            months.addAll(ofMonths);
        } else {
            executionStreams++;
        }
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
        ByHand byHand = ByHand.of(difference);
        return new Row(
                difference.stream(),
                key == null ? null : key.storedAt(),
                key == null ? null : key.eventId(),
                difference.execution(),
                difference.what(),
                difference.fields(),
                (key == null ? MirrorTable.EXECUTIONS : MirrorTable.EVENTS).tableName(),
                byHand == null ? null : byHand.reason(),
                byHand == null ? null : byHand.sql());
    }

    /**
     * Notes the effect of a repair.
     *
     * @param rows the rows that differed
     * @param left those of them that differ still
     */
    void repaired(Repaired more, List<Difference> rows, List<Difference> left) {
        repaired = repaired.plus(more);
        unhealed -= rows.size() - (long) left.size();
        left.stream()
                .limit(Math.max(0, mostNamed - unhealedRows.size()))
                .map(Findings::row)
                .map(Findings::place)
                .forEach(unhealedRows::add);
    }

    /**
     * Returns the result.
     *
     * @param isRepair true if a repair was asked for
     * @param seen the moments at which both sides were read
     * @param refused the rows that the database refuses
     */
    Result result(boolean isRepair, Witness seen, Refusals refused) {
        Reasons reasons = new Reasons(refused);
        return new Result(
                differences == 0 && !isBehind && refused.count() == 0,
                sums(MirrorTable.EVENTS),
                sums(MirrorTable.EXECUTIONS),
                compared(seen),
                differences,
                named.stream()
                        .map(row -> reasons.tell(row, unhealedRows.contains(place(row))))
                        .toList(),
                differences - named.size(),
                movingRows,
                List.copyOf(moving),
                isBehind,
                refused.count(),
                refused.rows(),
                isRepair ? new Repair(repaired.sent(), repaired.removed(), unhealed) : null);
    }

    private Compared compared(Witness seen) {
        return new Compared(
                seen.stores().from(),
                seen.stores().to(),
                seen.sql().from(),
                seen.sql().to(),
                seen.position(),
                eventStreams,
                List.copyOf(months),
                groups,
                executionStreams);
    }

    /** Returns the address of a row, equal in all looks at it. */
    private static List<Object> place(Row row) {
        return Arrays.asList(row.stream(), row.storedAt(), row.eventId(), row.execution());
    }
}
