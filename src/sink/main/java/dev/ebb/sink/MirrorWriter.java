package dev.ebb.sink;

import dev.ebb.sink.Batch.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/**
 * Writes batches into the table, each with the new positions in one transaction: all keys are deleted by one statement,
 * and rows are written by one COPY. COPY fails on a row that exists already; then the keys of the rows are deleted
 * first, in that batch and some further ones, because updates come in groups. Not thread-safe.
 */
final class MirrorWriter implements AutoCloseable {

    private static final byte[] COPY_HEADER = {'P', 'G', 'C', 'O', 'P', 'Y', '\n', (byte) 0xFF, '\r', '\n', 0};
    private static final int COPY_TRAILER = -1;
    private static final int COPY_PART = 64 * 1024;
    private static final int MOST_REPLACING = 64;

    private final SinkSettings settings;
    private final Positions positions;
    private final Refusals refusals;
    private final CopyBuffer copied = new CopyBuffer();
    private @Nullable Connection connection;
    private @Nullable RowEncoder encoder;

    /** Number of batches in which rows are expected to exist already. */
    private int replacing;

    private int nextReplacing = 1;

    MirrorWriter(SinkSettings settings) {
        this.settings = settings;
        this.positions = new Positions(settings.connector());
        this.refusals = new Refusals(settings.connector());
    }

    SinkSettings settings() {
        return settings;
    }

    Positions positions() {
        return positions;
    }

    /** Reads the positions of the partitions, and whether changes of theirs were refused. */
    void loadPositions(Collection<TopicPartition> partitions) throws SQLException {
        Connection open = connection();
        refusals.load(open);
        positions.load(open, partitions);
    }

    /**
     * Writes a batch.
     *
     * @return false, with nothing written, if another task has written to one of the partitions
     * @throws BadRowException if one of the records is no row; nothing is written
     * @throws SQLException if the database takes none of the batch, for instance because it refuses one of the rows
     */
    boolean write(Batch batch) throws SQLException, BadRowException {
        Connection open = connection();
        RowEncoder rows = encoded(open, batch);
        try {
            return write(open, batch, rows);
        } catch (SQLException e) {
            if (!SqlFault.isDuplicate(e) || replacing > 0) {
                throw e;
            }
            replacing = nextReplacing;
            nextReplacing = Math.min(MOST_REPLACING, 2 * nextReplacing);
            return write(open, batch, rows);
        }
    }

    private boolean write(Connection open, Batch batch, RowEncoder rows) throws SQLException, BadRowException {
        KeyArrays gone = rows.arrays(goneBefore(batch));
        List<String> settled = refusals.mayHaveAny() ? hashes(batch, rows) : List.of();
        boolean isMine = commit(open, batch.ends(), () -> {
            gone.delete(open);
            copy(open, rows.table(), batch.rows().isEmpty());
            if (!settled.isEmpty()) {
                refusals.settle(open, settled);
            }
        });
        if (isMine) {
            expectNew();
        }
        return isMine;
    }

    private interface Changes {
        void write() throws SQLException;
    }

    /**
     * Moves the positions and makes the changes in one transaction; returns false if another task has moved the
     * positions.
     */
    private boolean commit(Connection open, Map<TopicPartition, Long> ends, Changes changes) throws SQLException {
        try {
            if (!positions.move(open, ends)) {
                open.rollback();
                return false;
            }
            changes.write();
            open.commit();
        } catch (SQLException e) {
            rollback(open);
            throw e;
        }
        positions.moved(ends);
        return true;
    }

    private void expectNew() {
        if (replacing > 0) {
            replacing--;
        } else {
            nextReplacing = 1;
        }
    }

    private List<byte[]> goneBefore(Batch batch) {
        List<byte[]> gone = new ArrayList<>(settings.deletes() ? batch.deleted() : List.of());
        if (replacing > 0) {
            batch.rows().forEach(row -> gone.add(row.key()));
        }
        return gone;
    }

    /** Returns the hashes of the keys of all rows that the batch writes or deletes. */
    private List<String> hashes(Batch batch, RowEncoder rows) throws BadRowException {
        List<String> hashes = new ArrayList<>();
        for (byte[] key : settings.deletes() ? batch.deleted() : List.<byte[]>of()) {
            hashes.add(rows.name(key).hash());
        }
        for (Row row : batch.rows()) {
            hashes.add(rows.name(row.key()).hash());
        }
        return hashes;
    }

    private void copy(Connection open, Table table, boolean isEmpty) throws SQLException {
        if (isEmpty) {
            return;
        }
        CopyIn copy = open.unwrap(PGConnection.class).getCopyAPI().copyIn(table.copy());
        for (int at = 0; at < copied.length(); at += COPY_PART) {
            copy.writeToCopy(copied.array(), at, Math.min(COPY_PART, copied.length() - at));
        }
        copy.endCopy();
    }

    /**
     * Sets a change aside: moves the position past it, and notes the reason in the same transaction.
     *
     * @return false, with nothing written, if another task has written to the partition
     */
    boolean setAside(Change change, Refusal why) throws SQLException {
        Connection open = connection();
        RowEncoder rows = encoder(open);
        KeyName key = name(rows, change);
        return commit(
                open,
                Map.of(change.partition(), change.end()),
                () -> refusals.add(open, rows.table().name(), change, key, why));
    }

    private static KeyName name(RowEncoder rows, Change change) {
        try {
            change.requireGood();
            return rows.name(change.key());
        } catch (BadRowException e) {
            return KeyName.ofUnreadable(change);
        }
    }

    /**
     * Puts the rows of the batch into the buffer of COPY, and returns their encoder. Reads the table again if a row has
     * a field that was no column then: there may have been a migration.
     */
    private RowEncoder encoded(Connection open, Batch batch) throws SQLException, BadRowException {
        try {
            return encode(encoder(open), batch);
        } catch (SinkTableException e) {
            encoder = null;
            return encode(encoder(open), batch);
        }
    }

    private RowEncoder encode(RowEncoder rows, Batch batch) throws BadRowException {
        copied.truncate(0);
        copied.put(COPY_HEADER).putInt(0).putInt(0);
        for (Row row : batch.rows()) {
            rows.encode(row, copied);
        }
        copied.putShort(COPY_TRAILER);
        return rows;
    }

    private RowEncoder encoder(Connection open) throws SQLException {
        RowEncoder current = encoder;
        if (current == null) {
            current = new RowEncoder(Table.read(open, settings.table()), settings.columns());
            encoder = current;
        }
        return current;
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = new Driver().connect(settings.url(), settings.driver());
            if (open == null) {
                throw new SinkTableException("connection.url is no JDBC address of PostgreSQL: " + settings.url());
            }
            connection = open;
            open.setAutoCommit(false);
            try (Statement statement = open.createStatement()) {
                // Planning a delete anew over all partitions takes longer than the delete.
                statement.execute("SET plan_cache_mode = force_generic_plan");
            }
            open.commit();
        }
        return open;
    }

    private static void rollback(Connection open) {
        try {
            open.rollback();
        } catch (SQLException e) {
            // The first error says more. The connection is given up together with it.
        }
    }

    /** Gives up the connection and the description of the table; the next write opens another connection. */
    @Override
    public void close() {
        Connection open = connection;
        connection = null;
        encoder = null;
        if (open != null) {
            try {
                open.close();
            } catch (SQLException e) {
                // The connection was of no use any more.
            }
        }
    }
}
