package dev.ebb.sink;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
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

    /**
     * Metadata of each committed offset. Connect takes an offset that a task requests for one that is committed, and
     * skips a commit of equal offsets. Without this difference, a worker that dies between a write and its commit leaves
     * a lag that stays until the next record.
     */
    private static final String IN_DATABASE = "in the database";

    private @Nullable MirrorWriter writer;
    private @Nullable Portions portions;
    private RefusalLog log = RefusalLog.of("", "");
    private long awaySinceNanos;
    private boolean isAway;

    /** True if Connect is going to bring the records of the last call again, of which some may have been written. */
    private boolean isRepeated;

    /** Partitions whose records were requested from another offset on by the last call, so that they come anew. */
    private final Set<TopicPartition> requested = new HashSet<>();

    @Override
    public String version() {
        return MirrorSinkConnector.VERSION;
    }

    @Override
    public void start(Map<String, String> properties) {
        SinkSettings settings = new SinkSettings(properties);
        MirrorWriter begun = new MirrorWriter(settings);
        writer = begun;
        log = RefusalLog.of(settings.connector(), settings.table());
        portions = new Portions(begun, log, () -> context.errantRecordReporter());
    }

    private MirrorWriter writer() {
        MirrorWriter started = writer;
        if (started == null) {
            throw new IllegalStateException("the task has not been started");
        }
        return started;
    }

    private Portions portions() {
        return Objects.requireNonNull(portions, "the task has not been started");
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
        if (!portions().write(mine)) {
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
        if (settings().isOfLog()) {
            // A database without a position is new, and the log tells it all from the beginning on.
            offsets.replaceAll((partition, position) -> Math.max(position, 0));
        }
        offsets.values().removeIf(position -> position == Positions.NONE);
        context.offset(offsets);
        requested.addAll(offsets.keySet());
        return offsets.keySet();
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
        log.sayRest();
        Map<TopicPartition, OffsetAndMetadata> written = new HashMap<>();
        writer().positions().known().forEach((partition, position) -> {
            if (position != Positions.NONE && current.containsKey(partition)) {
                written.put(partition, new OffsetAndMetadata(position, IN_DATABASE));
            }
        });
        return written;
    }

    @Override
    public void stop() {
        log.end();
        if (writer != null) {
            writer.close();
        }
    }
}
