package dev.ebb.topology.trash;

import dev.ebb.domain.time.Durations;
import dev.ebb.topology.trash.TrashSource.Audit;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Audit of the trash of one partition in idle time: compares once an hour what is promised with what is there (T-16).
 * Records that are missing are looked for a second time before they are reported. Costs nothing while nothing is
 * promised. Not thread-safe.
 */
public final class TrashAudit implements AutoCloseable {

    /** Time between two audits. */
    static final long PAUSE_MS = Duration.ofHours(1).toMillis();

    /** Time after which everything that was promised before can be read, or its transaction was aborted. */
    static final long SETTLED_MS = Duration.ofMinutes(1).toMillis();

    /** Time after which an audit that has found another one at work tries again. */
    static final long BUSY_MS = Duration.ofSeconds(1).toMillis();

    private final TrashBook book;
    private final TrashSource source;
    private final int partition;
    private final Consumer<String> failures;
    private @Nullable Supplier<TrashGuard> guards;
    private @Nullable Audit running;

    /** The last reading, if it has missed something that was not looked for before; null if it has not. */
    private @Nullable FoundTrash suspicion;

    /** Number of missing records that an audit has confirmed; an undo may have found others. */
    private long confirmed;

    private long nextMs;

    /**
     * @param failures notified of the reason if an audit fails
     * @param nowMs the time at which the task begins, epoch milliseconds
     */
    public TrashAudit(TrashBook book, TrashSource source, int partition, Consumer<String> failures, long nowMs) {
        this.book = book;
        this.source = source;
        this.partition = partition;
        this.failures = failures;
        this.confirmed = book.missing();
        this.nextMs = nowMs;
    }

    /** Begins, continues or ends an audit if its time has come. */
    public void slice(long nowMs) {
        Audit current = running;
        Supplier<TrashGuard> known = guards;
        if (current != null) {
            end(current, nowMs);
        } else if (nowMs >= nextMs && known != null) {
            begin(known.get(), nowMs);
        } else if (nowMs >= nextMs && book.hasPromised()) {
            guards = book.guards();
            nextMs = Durations.after(nowMs, SETTLED_MS);
        }
    }

    private void begin(TrashGuard guard, long nowMs) {
        boolean mustReadAll = suspicion != null || book.missing() != confirmed;
        running = source.audit(
                partition, guard, mustReadAll ? Audit.ALL : book.marks().head());
        if (running == null) {
            nextMs = Durations.after(nowMs, BUSY_MS);
        }
    }

    private void end(Audit audit, long nowMs) {
        if (!audit.isDone()) {
            return;
        }
        FoundTrash found = audit.found();
        long head = audit.head();
        String problem = audit.problem();
        close();
        nextMs = Durations.after(nowMs, PAUSE_MS);
        if (problem != null) {
            failures.accept(problem);
            return;
        }
        FoundTrash before = suspicion;
        if (found != null && before == null && book.lacksMore(found)) {
            // Compaction may have removed what an undo has taken out since the promise: a new promise leaves it out.
            suspicion = found;
            nextMs = nowMs;
            return;
        }
        suspicion = null;
        if (found != null) {
            book.found(found, before == null ? found : before);
            confirmed = book.missing();
            // Records that were promised between both readings have been looked for once only.
            suspicion = book.lacksMore(found) ? found : null;
        }
        if (head != Audit.UNKNOWN && suspicion == null) {
            book.marks().head(head);
        }
    }

    /** Returns the time of the next slice; {@link Long#MAX_VALUE} if there is none before something is promised. */
    public long nextMs() {
        if (running != null) {
            return 0;
        }
        return guards != null || book.hasPromised() ? nextMs : Long.MAX_VALUE;
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
