package dev.ebb.runtime.verify;

import dev.ebb.domain.command.RowKey;
import dev.ebb.port.MirrorCheck.Difference;
import dev.ebb.port.MirrorCheck.What;
import dev.ebb.serde.mirror.MirrorTable;
import dev.ebb.serde.mirror.RowImage;
import dev.ebb.serde.mirror.RowsDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Collects the rows of one stream in which the store and SQL differ. Not thread-safe. */
final class RowDifferences {

    private final MirrorTable table;
    private final String stream;
    private final StoredRows stored;
    private final List<Difference> found = new ArrayList<>();
    private @Nullable Boolean isBeingEmptied;
    private @Nullable Boolean isTurning;

    RowDifferences(MirrorTable table, String stream, StoredRows stored) {
        this.table = table;
        this.stream = stream;
        this.stored = stored;
    }

    List<Difference> found() {
        return found;
    }

    /** Compares the two sides of one row; null where a side has none. */
    void compare(@Nullable RowImage store, @Nullable RowImage sql) {
        if (store != null && sql != null) {
            List<String> fields = store.differences(sql);
            if (!fields.isEmpty()) {
                add(store, What.DIFFERS, fields, RowsDigest.of(store).hash());
            }
        } else if (store != null) {
            add(store, What.MISSING_IN_SQL, List.of(), RowsDigest.of(store).hash());
        } else if (sql != null) {
            add(sql, What.TOO_MANY_IN_SQL, List.of(), "");
        }
    }

    private void add(RowImage row, What what, List<String> fields, String version) {
        boolean isMoving = (what == What.TOO_MANY_IN_SQL && isBeingEmptied()) || isTurning();
        boolean isEvent = table == MirrorTable.EVENTS;
        found.add(new Difference(
                stream,
                isEvent ? keyOf(row) : null,
                isEvent ? null : Long.valueOf(row.key().get(1)),
                what,
                fields,
                version,
                isMoving));
    }

    /** Asked only once, like {@link #isBeingEmptied}. */
    private boolean isTurning() {
        if (isTurning == null) {
            isTurning = table == MirrorTable.EVENTS && stored.isTurning(stream);
        }
        return Objects.requireNonNull(isTurning);
    }

    /** Asked only once, since the answer holds for all rows of the stream. */
    private boolean isBeingEmptied() {
        if (isBeingEmptied == null) {
            isBeingEmptied = stored.isBeingEmptied(stream);
        }
        return Objects.requireNonNull(isBeingEmptied);
    }

    /** Returns the key of a row of events. */
    static RowKey keyOf(RowImage row) {
        return new RowKey(row.key().get(1), row.key().get(2));
    }
}
