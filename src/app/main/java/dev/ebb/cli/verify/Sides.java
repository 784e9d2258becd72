package dev.ebb.cli.verify;

import dev.ebb.serde.mirror.MirrorTable;
import java.util.Iterator;
import java.util.List;

/** Questions to the two sides that are compared; one that cannot be answered ends the command. */
interface Sides {

    /** How many partitions there are. */
    int partitions();

    /** Where the mirror topics end now. */
    String mark();

    /** Whether SQL has all that was in front of the mark. */
    boolean hasPassed(String mark);

    /** Rows that the partition has stored, stream after stream by the bytes of their names. */
    Iterator<StreamRows> stored(int partition, MirrorTable table);

    /** Rows of SQL, likewise, of streams of all partitions. */
    Iterator<StreamRows> inSql(MirrorTable table);

    /** The rows of a group that differ just now. */
    Iterator<DifferentRow> differences(MirrorTable table, String stream, String month);

    /** Which of those rows, all of one stream, differ just now. */
    List<DifferentRow> look(List<DifferentRow> rows);

    /** Has rows of one stream sent again, and tells how many were sent and removed. */
    Repaired repair(List<DifferentRow> rows);

    /** Result of a repair. */
    record Repaired(long sent, long removed) {

        Repaired plus(Repaired other) {
            return new Repaired(sent + other.sent, removed + other.removed);
        }
    }
}
