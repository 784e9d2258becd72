package dev.ebb.topology.trash;

import dev.ebb.domain.policy.Durations;
import dev.ebb.topology.trash.TrashSource.Audit;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Audit of the trash of one partition in idle time: compares once an hour what is promised with what is there (T-16).
 * Costs nothing while nothing is promised. Not thread-safe.
 */
public final class TrashAudit implements AutoCloseable {

    /** Time between two audits. */
    static final long PAUSE_MS = Duration.ofHours(1).toMillis();

    /** Time after which everything that was promised before can be read, or its transaction was aborted. */
    static final long SETTLED_MS = Duration.ofMinutes(1).toMillis();

    private final TrashBook book;
    private final TrashSource source;
    private final int partition;
    private @Nullable Supplier<TrashGuard> guards;
    private @Nullable Audit running;
    private long nextMs;
    private long lastHead = -1;

    /** @param nowMs the time at which the task begins, epoch milliseconds */
    public TrashAudit(TrashBook book, TrashSource source, int partition, long nowMs) {
        this.book = book;
        this.source = source;
        this.partition = partition;
        this.nextMs = nowMs;
    }

    /** Begins, continues or ends an audit if its time has come. */
    public void slice(long nowMs) {
        Audit current = running;
        if (current != null) {
            end(current, nowMs);
        } else if (nowMs >= nextMs && guards != null) {
            running = source.audit(partition, guards.get(), lastHead);
        } else if (nowMs >= nextMs && isAnyPromised()) {
            guards = book.guards();
            nextMs = Durations.after(nowMs, SETTLED_MS);
        }
    }

    private void end(Audit audit, long nowMs) {
        if (!audit.isDone()) {
            return;
        }
        FoundTrash found = audit.found();
        if (found != null) {
            book.found(found);
        }
        lastHead = audit.head();
        close();
        nextMs = Durations.after(nowMs, PAUSE_MS);
    }

    private boolean isAnyPromised() {
        return !book.sums().isEmpty();
    }

    /** Returns the time of the next slice; {@link Long#MAX_VALUE} if there is none before something is promised. */
    public long nextMs() {
        if (running != null) {
            return 0;
        }
        return guards != null || isAnyPromised() ? nextMs : Long.MAX_VALUE;
    }

    @Override
    public void close() {
        if (running != null) {
            running.close();
            running = null;
        }
        guards = null;
    }
}
