package dev.ebb.sink;

import dev.ebb.sink.Batch.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of a batch in the form of COPY, and the description of their table. A field without a column is left out, so that
 * a newer version of Ebb stops no rows; the table is then read again, since there may have been a migration. Not
 * thread-safe.
 */
final class EncodedRows {

    private static final Logger LOGGER = LoggerFactory.getLogger(EncodedRows.class);
    private static final byte[] COPY_HEADER = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int COPY_TRAILER = -1;
    private static final int COPY_PART = 64 * 1024;
    private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long SAY_EVERY_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final SinkSettings settings;
    private final CopyBuffer copied = new CopyBuffer();

    /** The latest time in the keys of the rows that each partition has written since the sink took it over. */
    private final Map<TopicPartition, Long> written = new HashMap<>();

    /** The same with the rows in the buffer. */
    private final Map<TopicPartition, Long> latest = new HashMap<>();

    private final List<byte[]> mayExist = new ArrayList<>();
    private @Nullable RowEncoder encoder;
    private long lookedNanos = System.nanoTime() - LOOK_EVERY_NANOS;
    private long saidNanos = System.nanoTime() - SAY_EVERY_NANOS;

    EncodedRows(SinkSettings settings) {
        this.settings = settings;
    }

    /** Puts the rows of the batch into the buffer of COPY, and returns their encoder. */
    RowEncoder encode(Connection open, Batch batch) throws SQLException, BadRowException {
        RowEncoder rows = encode(encoder(open), batch);
        long now = System.nanoTime();
        if (rows.lacking().isEmpty() || now - lookedNanos < LOOK_EVERY_NANOS) {
            return rows;
        }
        lookedNanos = now;
        forget();
        RowEncoder again = encode(encoder(open), batch);
        say(again.lacking(), now);
        return again;
    }

    private RowEncoder encode(RowEncoder rows, Batch batch) throws BadRowException {
        rows.lacking().clear();
        copied.truncate(0);
        mayExist.clear();
        latest.clear();
        copied.put(COPY_HEADER).putInt(0).putInt(0);
        for (Row row : batch.rows()) {
            rows.encode(row, copied);
            lookAt(row, rows.time());
        }
        copied.putShort(COPY_TRAILER);
        return rows;
    }

    /**
     * Notes whether the row may be there already. A partition stores its events in the order of time, and the time of a
     * row stays; so a later one than all before is new. Rows of tables without a time in their keys are replaced often.
     */
    private void lookAt(Row row, @Nullable Long time) {
        Long before = written.get(row.partition());
        if (time == null ? settings.deletes() : before == null || time <= before) {
            mayExist.add(row.key());
        }
        if (time != null) {
            latest.merge(row.partition(), time, Math::max);
        }
    }

    /** Returns the keys of the rows in the buffer that may be there already. */
    List<byte[]> mayExist() {
        return mayExist;
    }

    /** Notes that the rows in the buffer are written. */
    void committed() {
        latest.forEach((partition, time) -> written.merge(partition, time, Math::max));
    }

    /** Forgets what was written: the next rows may be there already. */
    void startAnew() {
        written.clear();
        forget();
    }

    private void say(Set<String> lacking, long now) {
        if (lacking.isEmpty() || now - saidNanos < SAY_EVERY_NANOS) {
            return;
        }
        saidNanos = now;
        LOGGER.atWarn()
                .addKeyValue("connector", settings.connector())
                .addKeyValue("table", settings.table())
                .addKeyValue("fields", lacking)
                .log("the table lacks columns, and rows are written without them; it is older than the records:"
                        + (IncompleteRows.areRepaired(settings.table())
                                ? " once the migrations have run, 'ebb verify --repair' sends these rows again"
                                : " mirror_refused has the statement that has these rows read again"));
    }

    /** Returns the encoder of the table as it was when it was read last. */
    RowEncoder encoder(Connection open) throws SQLException {
        RowEncoder current = encoder;
        if (current == null) {
            current = new RowEncoder(DescribedTable.read(open, settings.table()));
            encoder = current;
        }
        return current;
    }

    /** Writes the rows in the buffer, as part of the current transaction. */
    void copy(Connection open, DescribedTable table) throws SQLException {
        CopyIn copy = open.unwrap(PGConnection.class).getCopyAPI().copyIn(table.copy());
        for (int at = 0; at < copied.length(); at += COPY_PART) {
            copy.writeToCopy(copied.array(), at, Math.min(COPY_PART, copied.length() - at));
        }
        copy.endCopy();
    }

    /** Has the table read again before the next rows. */
    void forget() {
        encoder = null;
    }
}
