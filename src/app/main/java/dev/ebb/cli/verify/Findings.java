package dev.ebb.cli.verify;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.cli.client.Json;
import dev.ebb.cli.outcome.ExitCode;
import dev.ebb.cli.verify.Sides.Repaired;
import dev.ebb.serde.mirror.MirrorTable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Results of a comparison so far. Counters may be read from any thread, the rest belongs to one. */
final class Findings {

    private final int mostNamed;
    private final Map<MirrorTable, long[]> rows = new EnumMap<>(MirrorTable.class);
    private final List<DifferentRow> named = new ArrayList<>();
    private final List<DifferentRow> moving = new ArrayList<>();
    private volatile long streams;
    private volatile long differences;
    private long unhealed;
    private long movingRows;
    private Repaired repaired = new Repaired(0, 0);
    private boolean isBehind;

    /** @param mostNamed how many differences are kept by name */
    Findings(int mostNamed) {
        this.mostNamed = mostNamed;
        for (MirrorTable table : MirrorTable.values()) {
            rows.put(table, new long[2]);
        }
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
        long[] sums = rows.getOrDefault(table, new long[2]);
        sums[0] += stored;
        sums[1] += inSql;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    void different(List<DifferentRow> found) {
        differences += found.size();
        unhealed += found.size();
        found.stream().limit(Math.max(0, mostNamed - named.size())).forEach(named::add);
    }

    /** Rows that would not stand still; {@code isBehind} if that is because the sinks did not catch up. */
    void moving(List<DifferentRow> found, boolean isBehind) {
        movingRows += found.size();
        found.stream().limit(Math.max(0, mostNamed - moving.size())).forEach(moving::add);
        this.isBehind |= isBehind;
    }

    void repaired(Repaired more, long healed) {
        repaired = repaired.plus(more);
        unhealed -= healed;
    }

    /** Equal, different, or not to be told because the mirror is behind. */
    ExitCode exitCode() {
        if (unhealed > 0) {
            return ExitCode.DIFFERENCES;
        }
        return isBehind ? ExitCode.NOT_READY : ExitCode.OK;
    }

    /** The result, as programs read it. */
    ObjectNode view(boolean isRepair) {
        ObjectNode view = Json.object();
        view.put("equal", differences == 0 && !isBehind);
        rows.forEach((table, sums) ->
                view.putObject(table.tableName()).put("stored", sums[0]).put("sql", sums[1]));
        view.put("differences", differences);
        ArrayNode rowsOf = view.putArray("rows");
        named.forEach(row -> rowsOf.add(row.view()));
        view.put("rowsLeftOut", differences - named.size());
        view.put("moving", movingRows);
        ArrayNode movingOf = view.putArray("movingRows");
        moving.forEach(row -> movingOf.add(row.view()));
        view.put("mirrorBehind", isBehind);
        if (isRepair) {
            view.putObject("repair")
                    .put("rowsSent", repaired.sent())
                    .put("rowsRemoved", repaired.removed())
                    .put("unhealed", unhealed);
        }
        return view;
    }
}
