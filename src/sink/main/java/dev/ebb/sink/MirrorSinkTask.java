package dev.ebb.sink;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads its partitions from the positions in the database on, and writes each of their records once. Waits while the
 * database is away. A change that the database refuses for itself is set aside in the table {@code mirror_refused}, and
 * goes to the connector's queue for such records as well if there is one; all others are written.
 */
public final class MirrorSinkTask extends SinkTask {

    private static final Logger LOGGER = LoggerFactory.getLogger(MirrorSinkTask.class);
    private static final long RETRY_EVERY_MS = 1000;

    private @Nullable MirrorWriter writer;
    private RefusalLog log = new RefusalLog("", "");
    private long awaySinceNanos;
    private boolean isAway;

    /** True if Connect is going to bring the records of the last call again, of which some may have been written. */
    private boolean isRepeated;

    /** Partitions whose records were requested from another offset on by the last call, so that they come anew. */
    private final Set<TopicPartition> requested = new HashSet<>();

    @Override
    public String version() {
        return SinkVersion.TEXT;
    }

    @Override
    public void start(Map<String, String> properties) {
        SinkSettings settings = new SinkSettings(properties);
        writer = new MirrorWriter(settings);
        log = new RefusalLog(settings.connector(), settings.table());
    }

    private MirrorWriter writer() {
        MirrorWriter started = writer;
        if (started == null) {
            throw new IllegalStateException("the task has not been started");
        }
        return started;
    }

    private SinkSettings settings() {
        return writer().settings();
    }

    /**
     * Moves to the positions in the database at once; if the database is away, the first records find their positions
     * unknown.
     */
    @Override
    public void open(Collection<TopicPartition> partitions) {
        writer().positions().forget(partitions);
        if (partitions.isEmpty()) {
            return;
        }
        try {
            goTo(partitions);
            // Connect has dropped what it had in hand of them: their next records are the ones that come anew.
            requested.removeAll(partitions);
        } catch (SQLException e) {
            writer().close();
            LOGGER.atWarn()
                    .addKeyValue("connector", settings().connector())
                    .addKeyValue("problem", SqlFault.message(e))
                    .log("positions of the mirror are not known yet");
        }
    }

    @Override
    public void close(Collection<TopicPartition> partitions) {
        writer().positions().forget(partitions);
    }

    @Override
    public void put(Collection<SinkRecord> records) {
        if (records.isEmpty()) {
            return;
        }
        try {
            write(records);
            isAway = false;
        } catch (SQLException e) {
            throw failed(e);
        }
    }

    private void write(Collection<SinkRecord> records) throws SQLException {
        Set<TopicPartition> partitions = new HashSet<>();
        records.forEach(record -> partitions.add(Change.partition(record)));
        List<SinkRecord> mine = new ArrayList<>(records);
        if (isRepeated) {
            mine.removeIf(
                    record -> writer().positions().isPast(record) || requested.contains(Change.partition(record)));
        } else {
            requested.clear();
        }
        isRepeated = false;
        if (!writer().positions().areKnown(partitions)) {
            Set<TopicPartition> elsewhere = goTo(partitions);
            mine.removeIf(record -> elsewhere.contains(Change.partition(record)));
        }
        if (!writeInOrder(mine)) {
            Set<TopicPartition> elsewhere = goTo(partitions);
            goToFirst(records, elsewhere);
        }
    }

    /**
     * Requests the records again of partitions that have no position any more, for instance because the database was
     * restored from a backup that is older than their first record: without this, these records would be lost.
     */
    private void goToFirst(Collection<SinkRecord> records, Set<TopicPartition> elsewhere) {
        Map<TopicPartition, Long> first = new HashMap<>();
        records.forEach(record -> first.merge(Change.partition(record), record.originalKafkaOffset(), Math::min));
        first.keySet().removeAll(elsewhere);
        context.offset(first);
    }

    /** Requests the records from the positions in the database on. Returns the partitions that have a position. */
    private Set<TopicPartition> goTo(Collection<TopicPartition> partitions) throws SQLException {
        writer().loadPositions(partitions);
        Map<TopicPartition, Long> offsets = new HashMap<>(writer().positions().known());
        offsets.keySet().retainAll(partitions);
        offsets.values().removeIf(position -> position == Positions.NONE);
        context.offset(offsets);
        requested.addAll(offsets.keySet());
        return offsets.keySet();
    }

    /**
     * Writes the changes of the records in portions of one form, since the key of a row has other bytes in another
     * form.
     */
    private boolean writeInOrder(List<SinkRecord> records) throws SQLException {
        List<Change> portion = new ArrayList<>();
        for (SinkRecord record : records) {
            List<Change> next = Change.of(record);
            if (!portion.isEmpty() && !next.get(0).goesWith(portion.get(0), portion.size() + next.size())) {
                if (!write(portion)) {
                    return false;
                }
                portion = new ArrayList<>();
            }
            portion.addAll(next);
        }
        return portion.isEmpty() || write(portion);
    }

    /** Returns false, and writes nothing, if another task has written to one of the partitions. */
    private boolean write(List<Change> changes) throws SQLException {
        try {
            return writer().write(Batch.of(changes));
        } catch (BadRowException e) {
            return writeWithout(changes, Refusal.of(e));
        } catch (SQLException e) {
            if (!SqlFault.isOfRow(e)) {
                throw e;
            }
            return writeWithout(changes, Refusal.of(e));
        }
    }

    /** Finds the change at fault by halving, which keeps the order of the changes of a key, and sets it aside. */
    private boolean writeWithout(List<Change> changes, Refusal why) throws SQLException {
        if (changes.size() > 1) {
            int half = changes.size() / 2;
            return write(changes.subList(0, half)) && write(changes.subList(half, changes.size()));
        }
        Change change = changes.get(0);
        String place = change.partition() + " at offset " + change.record().originalKafkaOffset();
        ErrantRecordReporter reporter = context.errantRecordReporter();
        if (reporter != null) {
            report(
                    reporter,
                    change.alone(),
                    new ConnectException("%s is refused by the table %s: %s"
                            .formatted(place, settings().table(), why.reason())));
        }
        boolean isMine = writer().setAside(change, why);
        if (isMine) {
            log.refused(place, why);
        }
        return isMine;
    }

    /** Waits until the queue has the record, which would otherwise be lost once the position has moved past it. */
    private static void report(ErrantRecordReporter reporter, SinkRecord record, ConnectException refused) {
        try {
            reporter.report(record, refused).get();
        } catch (ExecutionException e) {
            throw new ConnectException("a refused record cannot be sent to its queue", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted", e);
        }
    }

    private ConnectException failed(SQLException e) {
        writer().close();
        if (!SqlFault.mayPass(e)) {
            return new ConnectException("the mirror cannot be written: " + SqlFault.message(e));
        }
        long now = System.nanoTime();
        awaySinceNanos = isAway ? awaySinceNanos : now;
        isAway = true;
        Duration away = Duration.ofNanos(now - awaySinceNanos);
        if (away.compareTo(settings().retryLimit()) > 0) {
            isAway = false;
            return new ConnectException(
                    "the database has been away for " + away.toSeconds() + " s: " + SqlFault.message(e));
        }
        isRepeated = true;
        context.timeout(RETRY_EVERY_MS);
        return new RetriableException("the database is down: " + SqlFault.message(e));
    }

    /** Returns the offsets in the database, which Connect commits to the group; the lag is computed from these. */
    @Override
    public Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> current) {
        Map<TopicPartition, OffsetAndMetadata> written = new HashMap<>();
        writer().positions().known().forEach((partition, position) -> {
            if (position != Positions.NONE && current.containsKey(partition)) {
                written.put(partition, new OffsetAndMetadata(position));
            }
        });
        return written;
    }

    @Override
    public void stop() {
        if (writer != null) {
            writer.close();
        }
    }
}
