package dev.ebb.topology.removal;

import dev.ebb.serde.mirror.RowBlock;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Sender of changes of the rows of events in their order: each in a record of its own, or many in a block. Gathered
 * changes must be sent before their transaction ends. Not thread-safe.
 */
public final class RowSender {

    /**
     * Size at which a block is sent: a record of this size costs little more than its bytes, and several fit into a
     * batch of the producer.
     */
    private static final int ENOUGH_BYTES = 48 * 1024;

    /** Number of changes at which a block is sent: a sink reads blocks whole, so this bounds its transactions. */
    private static final int ENOUGH_CHANGES = 1000;

    private final Target target;
    private final Runnable remind;
    private final @Nullable RowBlock block;
    private long newestMs;

    /** Target to which records are sent; a block has no key. */
    public interface Target {
        void send(byte @Nullable [] key, byte @Nullable [] value, long timestampMs, Headers headers);
    }

    /**
     * @param inBlocks true if changes are gathered
     * @param remind makes {@link #flush} be called before the next commit
     */
    public RowSender(boolean inBlocks, Target target, Runnable remind) {
        this.block = inBlocks ? new RowBlock() : null;
        this.target = target;
        this.remind = remind;
    }

    /** @param row null if the row is removed */
    public void send(byte[] key, byte @Nullable [] row, long timestampMs, Headers reason) {
        if (block == null) {
            target.send(key, row, timestampMs, reason);
            return;
        }
        int more = key.length + (row == null ? 0 : row.length);
        if (block.sizeBytes() + more > ENOUGH_BYTES || block.changes() >= ENOUGH_CHANGES) {
            flush();
        }
        newestMs = block.isEmpty() ? timestampMs : Math.max(newestMs, timestampMs);
        if (row == null) {
            block.delete(key, reason, timestampMs);
        } else {
            block.put(key, row, timestampMs);
        }
        if (block.changes() == 1) {
            remind.run();
        }
    }

    /** Sends the gathered changes. */
    public void flush() {
        if (block != null && !block.isEmpty()) {
            target.send(null, block.take(), newestMs, new RecordHeaders());
        }
    }
}
