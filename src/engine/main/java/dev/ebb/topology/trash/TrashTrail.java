package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.store.events.Removed;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/**
 * Trail that sends to the trash those deletes of one sweep or command that can be undone (T-1). The terms are computed
 * once for a run of deletes from one stream by one rule. Not thread-safe.
 */
public final class TrashTrail {

    private final Trash trash;
    private final Origin origin;
    private @Nullable Run run;

    public TrashTrail(Trash trash, Origin origin) {
        this.trash = trash;
        this.origin = origin;
    }

    /**
     * Returns the time for which deletes by that rule can be undone, in milliseconds; 0 if they are final, so that
     * nothing need be asked for each of them.
     */
    public long undoMs(RemovalCause cause, EffectivePolicy policy, long nowMs) {
        return trash.terms().undoMs(cause, policy, nowMs);
    }

    /** @param undoMs the value that {@link #undoMs} returned, more than 0 */
    public void removed(Removed removed, RemovalRule rule, long undoMs, long nowMs) {
        Kept kept = kept(removed.stream(), removed.cause(), rule, undoMs, nowMs);
        if (kept != null) {
            trash.keep(removed, kept.headers(), nowMs);
            kept.count().add(removed.event().sizeBytes());
        }
    }

    /** Keeps a removed execution; one that was never declared is nothing without its events. */
    public void removed(
            StreamName stream,
            TrashedExecution trashed,
            RemovalCause cause,
            EffectivePolicy policy,
            long policyVersion,
            long nowMs) {
        long undoMs = trashed.execution().isDeclared() ? undoMs(cause, policy, nowMs) : 0;
        if (undoMs > 0) {
            RemovalRule rule = RemovalRule.of(cause, policy, policyVersion);
            Kept kept = kept(stream, cause, rule, undoMs, nowMs);
            if (kept != null) {
                trash.keep(stream, trashed, kept.headers(), nowMs);
                kept.count().addExecution();
            }
        }
    }

    /** Returns the deletion to keep; null if it is final. */
    private @Nullable Kept kept(StreamName stream, RemovalCause cause, RemovalRule rule, long undoMs, long nowMs) {
        Run current = run;
        if (current == null || !current.is(stream, cause, rule, nowMs)) {
            Deletion deletion = deletion(stream, cause, rule, undoMs, nowMs);
            Kept kept = deletion == null
                    ? null
                    : new Kept(DeletionHeaders.of(deletion), trash.book().count(stream, deletion));
            current = new Run(stream, cause, rule, nowMs, kept);
            run = current;
        }
        return current.kept();
    }

    private @Nullable Deletion deletion(
            StreamName stream, RemovalCause cause, RemovalRule rule, long undoMs, long nowMs) {
        if (cause.isCommand()) {
            return Deletion.of(cause, rule, List.of(), origin, nowMs, undoMs);
        }
        List<String> changes = trash.terms().newChanges(stream, undoMs, nowMs).stream()
                .map(Change::toString)
                .toList();
        return changes.isEmpty() ? null : Deletion.of(cause, rule, changes, origin, nowMs, undoMs);
    }

    /** Deletion that can be undone: the headers of its records, and the count to which they belong. */
    private record Kept(Headers headers, TrashBook.Count count) {}

    private record Run(
            StreamName stream,
            RemovalCause cause,
            RemovalRule rule,
            long nowMs,
            @Nullable Kept kept) {

        boolean is(StreamName otherStream, RemovalCause otherCause, RemovalRule otherRule, long otherMs) {
            return cause == otherCause
                    && nowMs == otherMs
                    && stream.equals(otherStream)
                    && Objects.equals(rule, otherRule);
        }
    }
}
