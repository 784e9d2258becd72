package dev.ebb.sink;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes the changes of records in portions, and finds and sets aside those that the database refuses for themselves.
 * Not thread-safe.
 */
final class Portions {

    private final MirrorWriter writer;
    private final RefusalLog log;
    private final Supplier<@Nullable ErrantRecordReporter> reporter;

    /** @param reporter returns the queue of the connector for refused records; null if there is none */
    Portions(MirrorWriter writer, RefusalLog log, Supplier<@Nullable ErrantRecordReporter> reporter) {
        this.writer = writer;
        this.log = log;
        this.reporter = reporter;
    }

    /**
     * Writes the changes of the records in portions.
     *
     * @return false if another task has written to one of the partitions; the rest is not written then
     */
    boolean write(List<SinkRecord> records) throws SQLException {
        List<Change> portion = new ArrayList<>();
        for (SinkRecord record : records) {
            List<Change> next = Change.of(record, writer.settings().isOfLog());
            if (!portion.isEmpty() && !Change.goTogether(portion.size() + next.size())) {
                if (!writePortion(portion)) {
                    return false;
                }
                portion = new ArrayList<>();
            }
            portion.addAll(next);
        }
        return portion.isEmpty() || writePortion(portion);
    }

    /** Returns false, and writes nothing, if another task has written to one of the partitions. */
    private boolean writePortion(List<Change> changes) throws SQLException {
        try {
            return writer.write(Batch.of(changes));
        } catch (BadRowException e) {
            return writeWithout(changes, RowRefusal.of(e));
        } catch (SQLException e) {
            if (!SqlFault.isOfRow(e)) {
                throw e;
            }
            return writeWithout(changes, RowRefusal.of(e));
        }
    }

    /** Finds the change at fault by halving, which keeps the order of the changes of a key, and sets it aside. */
    private boolean writeWithout(List<Change> changes, RowRefusal why) throws SQLException {
        if (changes.size() > 1) {
            int half = changes.size() / 2;
            return writePortion(changes.subList(0, half)) && writePortion(changes.subList(half, changes.size()));
        }
        Change change = changes.get(0);
        String place = change.partition() + " at offset " + change.record().originalKafkaOffset();
        ErrantRecordReporter queue = reporter.get();
        if (queue != null) {
            report(
                    queue,
                    change.record(),
                    new ConnectException("%s is refused by the table %s: %s"
                            .formatted(place, writer.settings().table(), why.reason())));
        }
        boolean isMine = writer.setAside(change, why);
        if (isMine) {
            log.refused(place, why);
        }
        return isMine;
    }

    /** Waits until the queue has the record, which would otherwise be lost once the position has moved past it. */
    private static void report(ErrantRecordReporter queue, SinkRecord record, ConnectException refused) {
        try {
            queue.report(record, refused).get();
        } catch (ExecutionException e) {
            throw new ConnectException("a refused record cannot be sent to its queue", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted", e);
        }
    }
}
