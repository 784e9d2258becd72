package dev.ebb.topology.wire;

import java.time.Duration;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Prompt commits of records for which a reader waits: the reader sees them only once they are committed, which should
 * not take a whole interval. But each commit stops the thread for some milliseconds and is one transaction, so commits
 * of many such records come with a gap between them. Of records without a waiting reader, a busy task commits each second,
 * and a few wait for the whole interval: a transaction costs the broker more than they do. Not thread-safe.
 */
public final class PromptCommit {

    public static final Duration GAP = Duration.ofMillis(50);

    /** Number of records after which a task is busy. */
    static final int MANY = 1024;

    /** Longest wait of a busy task. */
    static final Duration BUSY = Duration.ofSeconds(1);

    private final ProcessorContext<?, ?> context;
    private boolean isWanted;
    private long lastMs;
    private int sent;
    private long busySinceMs;

    public PromptCommit(ProcessorContext<?, ?> context) {
        this.context = context;
    }

    /** Notes that a reader waits for the record that was just sent. */
    public void want(long nowMs) {
        isWanted = true;
        look(nowMs);
    }

    /** Notes a record that was sent; wants a commit if it is one of many of a transaction that has lasted long. */
    public void sent() {
        sent++;
        if (sent % MANY > 0) {
            return;
        }
        long nowMs = context.currentSystemTimeMs();
        if (sent == MANY) {
            busySinceMs = nowMs;
        } else if (Math.abs(nowMs - busySinceMs) >= BUSY.toMillis()) {
            ends();
            want(nowMs);
        }
    }

    /** Notes that the transaction ends, with all records that were sent. */
    public void ends() {
        sent = 0;
    }

    /** Commits if a commit is wanted and the last one is long enough ago; returns true if it commits. */
    public boolean look(long nowMs) {
        if (!isWanted || Math.abs(nowMs - lastMs) < GAP.toMillis()) {
            return false;
        }
        isWanted = false;
        lastMs = nowMs;
        context.commit();
        return true;
    }

    /** Returns true if a commit is wanted and has not been requested yet. */
    public boolean isWanted() {
        return isWanted;
    }
}
