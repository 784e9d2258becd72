package dev.ebb.topology.removal;

import dev.ebb.store.gather.Gathered;
import java.util.Map;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Rows of new events, which wait for the commit of their transaction: an event that comes and goes within one
 * transaction never reaches the mirror. Every other change is sent at once, or after the row of its event if that row
 * waits. So readers see all changes of a row in their order, and all rows of new events in theirs. Not thread-safe.
 */
final class WaitingRows {

    private final Gathered waiting;
    private final RowSender sender;
    private final Runnable remind;

    /**
     * @param settings the settings of the Kafka Streams application; without transactions no row waits
     * @param sender sends the rows
     * @param remind makes {@link #flush} be called before the next commit
     */
    WaitingRows(Map<String, Object> settings, RowSender sender, Runnable remind) {
        this(Gathered.of(settings, Gathered.MAX_BYTES, sender::send), sender, remind);
    }

    private WaitingRows(Gathered waiting, RowSender sender, Runnable remind) {
        this.waiting = waiting;
        this.sender = sender;
        this.remind = remind;
    }

    /** Adds the row of an event that no reader can have seen. */
    void add(MirrorRow row, long timestampMs) {
        boolean isFirst = waiting.isEmpty();
        waiting.add(row.key(), row.value(), timestampMs, new RecordHeaders(), true);
        if (isFirst && !waiting.isEmpty()) {
            remind.run();
        }
    }

    /** Sends another state of a row. */
    void change(MirrorRow row, long timestampMs) {
        waiting.pass(row.key(), row.value(), timestampMs, new RecordHeaders());
    }

    /** Sends the removal of a row, unless no reader has learnt of the row. */
    void delete(byte[] key, long timestampMs, Headers reason) {
        waiting.add(key, null, timestampMs, reason, false);
    }

    /** Sends all waiting rows; must be called before the transaction ends. */
    void flush() {
        waiting.sendAll();
        sender.flush();
    }
}
