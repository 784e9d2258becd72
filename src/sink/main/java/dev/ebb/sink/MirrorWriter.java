package dev.ebb.sink;

import dev.ebb.sink.Batch.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;

/**
 * Writes batches into the table, each with the new positions in one transaction: all keys are deleted by one statement,
 * and rows are written by one COPY. COPY fails on a row that exists already, which the database logs as an error. So the
 * keys of rows that may exist are deleted first (O-28). Where it fails all the same, all keys are, in that batch and some
 * further ones, because updates come in groups. Not thread-safe.
 */
final class MirrorWriter implements AutoCloseable {

    private static final int MOST_REPLACING = 64;

    private final SinkSettings settings;
    private final Positions positions;
    private final Refusals refusals;
    private final IncompleteRows incomplete;
    private final SinkConnection connection;
    private final EncodedRows rows;

    /** Number of batches in which rows are expected to exist already. */
    private int replacing;

    private int nextReplacing = 1;

    MirrorWriter(SinkSettings settings) {
        this.settings = settings;
        this.connection = new SinkConnection(settings);
        this.rows = new EncodedRows(settings);
        this.positions = new Positions(settings.connector());
        this.refusals = new Refusals(settings.connector());
        this.incomplete = new IncompleteRows(settings);
    }

    SinkSettings settings() {
        return settings;
    }

    Positions positions() {
        return positions;
    }

    /**
     * Reads the positions of the partitions, and whether changes of theirs were refused. An operator may have set them
     * back after a migration, so the table is read again as well.
     */
    void loadPositions(Collection<TopicPartition> partitions) throws SQLException {
        Connection open = connection.open();
        rows.startAnew();
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
    boolean write(Batch all) throws SQLException, BadRowException {
        Connection open = connection.open();
        Batch batch = all.known().isEmpty() ? all : all.without(existing(open, all));
        RowEncoder encoder = rows.encode(open, batch);
        try {
            return write(open, batch, encoder);
        } catch (SQLException e) {
            if (!SqlFault.isDuplicate(e) || replacing > 0) {
                throw e;
            }
            replacing = nextReplacing;
            nextReplacing = Math.min(MOST_REPLACING, 2 * nextReplacing);
            return write(open, batch, encoder);
        }
    }

    /** Returns the places of those known rows of the batch that exist. */
    private Set<Integer> existing(Connection open, Batch batch) throws SQLException, BadRowException {
        List<Integer> known = List.copyOf(batch.known());
        List<byte[]> keys =
                known.stream().map(place -> batch.rows().get(place).key()).toList();
        return rows.encoder(open).arrays(keys).existing(open).stream()
                .map(known::get)
                .collect(Collectors.toSet());
    }

    private boolean write(Connection open, Batch batch, RowEncoder encoder) throws SQLException, BadRowException {
        List<String> lacking = List.copyOf(encoder.lacking());
        KeyArrays gone = encoder.arrays(goneBefore(batch));
        List<String> settled = refusals.mayHaveAny() ? hashes(batch, encoder) : List.of();
        boolean isMine = commit(open, batch.ends(), () -> {
            gone.delete(open);
            if (!batch.rows().isEmpty()) {
                rows.copy(open, encoder.table());
            }
            if (!settled.isEmpty()) {
                refusals.settle(open, settled);
            }
            settleIncomplete(open, batch.starts(), batch.ends());
            if (!lacking.isEmpty()
                    && incomplete.add(open, batch, encoder.table().name(), lacking)) {
                refusals.noteOne();
            }
        });
        if (isMine) {
            rows.committed();
            expectNew();
        }
        return isMine;
    }

    /** Removes the entries of incomplete rows that the sink comes past, as part of the current transaction. */
    private void settleIncomplete(Connection open, Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends)
            throws SQLException {
        if (refusals.mayHaveAny() && incomplete.settle(open, positions.before(starts), ends)) {
            refusals.load(open);
        }
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
            SinkConnection.rollback(open);
            // Entries that were removed, or whose absence was seen, in this transaction may be there.
            refusals.noteOne();
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
        } else {
            gone.addAll(rows.mayExist());
        }
        return gone;
    }

    /** Returns the hashes of the keys of all rows that the batch writes or deletes. */
    private List<String> hashes(Batch batch, RowEncoder encoder) throws BadRowException {
        List<String> hashes = new ArrayList<>();
        for (byte[] key : settings.deletes() ? batch.deleted() : List.<byte[]>of()) {
            hashes.add(encoder.name(key).hash());
        }
        for (Row row : batch.rows()) {
            hashes.add(encoder.name(row.key()).hash());
        }
        return hashes;
    }

    /**
     * Sets a change aside: moves the position past it, and notes the reason in the same transaction.
     *
     * @return false, with nothing written, if another task has written to the partition
     */
    boolean setAside(Change change, RowRefusal why) throws SQLException {
        Connection open = connection.open();
        RowEncoder encoder = rows.encoder(open);
        RowName key = name(encoder, change);
        Map<TopicPartition, Long> starts =
                Map.of(change.partition(), change.record().originalKafkaOffset());
        Map<TopicPartition, Long> ends = Map.of(change.partition(), change.end());
        return commit(open, ends, () -> {
            settleIncomplete(open, starts, ends);
            refusals.add(open, encoder.table().name(), change, key, why);
        });
    }

    private static RowName name(RowEncoder encoder, Change change) {
        try {
            change.requireGood();
            return encoder.name(change.key());
        } catch (BadRowException e) {
            return RowName.ofUnreadable(change);
        }
    }

    /** Gives up the connection and the description of the table; the next write opens another connection. */
    @Override
    public void close() {
        connection.close();
        rows.forget();
    }
}
