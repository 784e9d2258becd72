package dev.ebb.topology.wire;

import java.time.Duration;
import org.apache.kafka.streams.processor.api.ProcessorContext;

/**
 * Prompt commits of records for which a reader waits: the reader sees them only once they are committed, which should
 * not take a whole interval. But each commit stops the thread for some milliseconds and is one transaction, so commits
 * of many such records come with a gap between them. Not thread-safe.
 */
public final class PromptCommit {

    public static final Duration GAP = Duration.ofMillis(50);

    private final ProcessorContext<?, ?> context;
    private boolean isWanted;
    private long lastMs;

    public PromptCommit(ProcessorContext<?, ?> context) {
        this.context = context;
    }

    /** Notes that a reader waits for the record that was just sent. */
    public void want(long nowMs) {
        isWanted = true;
        look(nowMs);
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
