package dev.ebb.topology.trash;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.Origin;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.store.events.Removed;
import dev.ebb.store.events.RemovedExecution;
import java.util.List;
import java.util.Objects;
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

    /** The one who has made a deleted event due, if a sweep deletes it. */
    public enum DueBy {
        /** A policy; a command that deletes counts as one. */
        POLICY,
        /** The producer, by the own TTL of the event, without an upper bound of the policy. */
        PRODUCER,
        /** A command, which has set the TTL of the event. */
        COMMAND
    }

    /** Returns the time for which deletes by a TTL that a command has set can be undone, in milliseconds. */
    public long undoMsOfCommands(EffectivePolicy policy) {
        return trash.terms().undoMsOfCommands(policy);
    }

    /**
     * Returns the time for which deletes by that rule can be undone, in milliseconds; 0 if they are final, so that
     * nothing need be asked for each of them.
     */
    public long undoMs(RemovalCause cause, EffectivePolicy policy) {
        return trash.terms().undoMs(cause, policy);
    }

    /**
     * Keeps a removed event, unless its removal is final. Returns the first millisecond at which the removal can no
     * longer be undone; 0 if it is final.
     *
     * @param undoMs the value that {@link #undoMs} or {@link #undoMsOfCommands} returned, more than 0
     */
    public long removed(Removed removed, RemovalRule rule, long undoMs, DueBy dueBy, long nowMs) {
        boolean isByCommand = dueBy == DueBy.COMMAND || removed.cause().isCommand();
        Kept kept = kept(removed.stream(), removed.sid(), removed.cause(), rule, isByCommand, undoMs, nowMs);
        if (kept == null || (dueBy == DueBy.PRODUCER && !kept.freesOwnTtl())) {
            return 0;
        }
        trash.keep(removed, kept.headers(removed.execution()), nowMs);
        kept.count().add(removed.event().sizeBytes());
        kept.prove(nowMs);
        return nowMs + undoMs;
    }

    /** Keeps a removed execution; one that was never declared is nothing without its events. */
    public void removed(
            StreamName stream,
            int sid,
            RemovedExecution trashed,
            RemovalCause cause,
            EffectivePolicy policy,
            long policyVersion,
            long nowMs) {
        long undoMs = trashed.execution().isDeclared() ? undoMs(cause, policy) : 0;
        if (undoMs > 0) {
            RemovalRule rule = RemovalRule.of(cause, policy, policyVersion);
            Kept kept = kept(stream, sid, cause, rule, cause.isCommand(), undoMs, nowMs);
            if (kept != null) {
                trash.keep(stream, trashed, kept.headers(), nowMs);
                kept.count().addExecution();
                kept.prove(nowMs);
            }
        }
    }

    /** Returns the deletion to keep; null if it is final. */
    private @Nullable Kept kept(
            StreamName stream,
            int sid,
            RemovalCause cause,
            RemovalRule rule,
            boolean isByCommand,
            long undoMs,
            long nowMs) {
        Run current = run;
        if (current == null || !current.is(sid, cause, rule, isByCommand, nowMs)) {
            Kept kept = newKept(stream, sid, cause, rule, isByCommand, undoMs, nowMs);
            current = new Run(sid, cause, rule, isByCommand, nowMs, kept);
            run = current;
        }
        return current.kept();
    }

    private @Nullable Kept newKept(
            StreamName stream,
            int sid,
            RemovalCause cause,
            RemovalRule rule,
            boolean isByCommand,
            long undoMs,
            long nowMs) {
        List<Change> changes =
                isByCommand ? List.of() : trash.terms().newChanges(stream, cause, rule.scopeKind(), undoMs, nowMs);
        if (changes.isEmpty() && !isByCommand) {
            return null;
        }
        // All of them: an undo by the oldest would find nothing otherwise. Each scope remembers only the newest few.
        List<String> named = changes.stream().map(Change::toString).toList();
        Deletion deletion = Deletion.of(cause, rule, named, origin, nowMs, undoMs);
        TrashCount count = trash.book().count(stream, deletion);
        TrashMarks.Common headers = TrashMarks.Common.of(DeletionHeaders.ofStream(sid, DeletionHeaders.of(deletion)));
        return new Kept(headers, count, stream, cause, rule.scopeKind(), changes);
    }

    /** Deletions that can be undone: the headers of their records, their count, and the new changes behind them. */
    private final class Kept {

        private final TrashMarks.Common headers;
        private final TrashCount count;
        private final StreamName stream;
        private final RemovalCause cause;
        private final String scopeKind;
        private final List<Change> changes;
        private @Nullable RemovedExecution execution;
        private TrashMarks.@Nullable Common headersOfExecution;
        private boolean isProved;

        Kept(
                TrashMarks.Common headers,
                TrashCount count,
                StreamName stream,
                RemovalCause cause,
                String scopeKind,
                List<Change> changes) {
            this.headers = headers;
            this.count = count;
            this.stream = stream;
            this.cause = cause;
            this.scopeKind = scopeKind;
            this.changes = changes;
        }

        TrashMarks.Common headers() {
            return headers;
        }

        /** Returns the headers of events of that execution; events of one execution follow one another. */
        TrashMarks.Common headers(@Nullable RemovedExecution ofEvent) {
            if (ofEvent == null) {
                return headers;
            }
            TrashMarks.Common known = headersOfExecution;
            if (known == null || !ofEvent.equals(execution)) {
                known = TrashMarks.Common.of(DeletionHeaders.with(ofEvent, headers.headers()));
                execution = ofEvent;
                headersOfExecution = known;
            }
            return known;
        }

        TrashCount count() {
            return count;
        }

        boolean freesOwnTtl() {
            return changes.stream().anyMatch(Change::freesOwnTtl);
        }

        /** Notes the first delete of each of the changes, from which on they have to prove themselves. */
        void prove(long nowMs) {
            if (!isProved) {
                changes.forEach(
                        change -> trash.terms().proofs().deleted(stream.namespace(), cause, scopeKind, change, nowMs));
                isProved = true;
            }
        }
    }

    private record Run(
            int sid,
            RemovalCause cause,
            RemovalRule rule,
            boolean isByCommand,
            long nowMs,
            @Nullable Kept kept) {

        boolean is(
                int otherSid, RemovalCause otherCause, RemovalRule otherRule, boolean isOtherByCommand, long otherMs) {
            return cause == otherCause
                    && isByCommand == isOtherByCommand
                    && nowMs == otherMs
                    && sid == otherSid
                    && Objects.equals(rule, otherRule);
        }
    }
}
