package dev.ebb.domain.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * The terms under which deletes can be undone (T-1). Deletes by commands always can; deletes by a policy can while a
 * change that concerns their stream is new, also where it cuts own TTLs short, or ends what kept events whose own TTL
 * had passed, and while a command has set the TTL. A change is new in a namespace until {@code undo} has passed since its
 * first delete there for the same cause, by a rule of the same kind of scope. Any other own TTL that has passed is the decision of the producer: such deletes are final, and so are those of
 * an erasure.
 *
 * @param policies the newest policies in force
 * @param mostMs the longest time for which the trash keeps anything, in milliseconds, whatever the policies say; 0 if
 *     it keeps nothing
 * @param proofs the first deletes under each change
 */
public record UndoTerms(Supplier<PolicySet> policies, long mostMs, Proofs proofs) {

    /**
     * Returns the time after its deletion within which an event can be brought back that a command has deleted, or
     * given its TTL, in milliseconds; 0 if all these deletes are final.
     */
    public long undoMsOfCommands(EffectivePolicy policy) {
        Limit undo = policy.get(PolicyField.UNDO).value();
        return undo.isNone() ? 0 : Math.min(undo.value(), mostMs);
    }

    /**
     * Returns the time after its deletion within which an event of a stream under the policy can be brought back, in
     * milliseconds, if a change that concerns it is new; 0 if all these deletes are final.
     */
    public long undoMs(RemovalCause cause, EffectivePolicy policy) {
        boolean canBeNew = cause.isCommand() || policies.get().changedMs() > 0;
        return canBeNew && cause.allowsCopies() ? undoMsOfCommands(policy) : 0;
    }

    /** Returns true if some deletes of the stream by retention can be undone at this time. */
    public boolean areForSweepsOf(StreamName stream, EffectivePolicy policy, long nowMs) {
        return Arrays.stream(RemovalCause.values())
                .filter(cause -> !cause.isCommand())
                .anyMatch(cause -> isForSweepsOf(stream, cause, policy, nowMs));
    }

    private boolean isForSweepsOf(StreamName stream, RemovalCause cause, EffectivePolicy policy, long nowMs) {
        PolicyField<Limit> field = cause.field() == null ? PolicyField.MAX_TTL : cause.field();
        long undoMs = undoMs(cause, policy);
        String scopeKind = RemovalRule.of(cause, policy, RemovalRule.BUILT_IN).scopeKind();
        List<Change> changes = undoMs == 0 ? List.of() : newChanges(stream, cause, scopeKind, undoMs, nowMs);
        return policy.get(field).value().isNone()
                ? cause == RemovalCause.TTL && changes.stream().anyMatch(Change::freesOwnTtl)
                : !changes.isEmpty();
    }

    /**
     * Returns the new changes that may make events of the stream due for that cause, the newest first; empty if its
     * policies have proved themselves.
     *
     * @param scopeKind the kind of the scope whose rule makes them due, see {@link RemovalRule#scopeKind}
     */
    public List<Change> newChanges(StreamName stream, RemovalCause cause, String scopeKind, long undoMs, long nowMs) {
        return policies.get().changesOn(stream).stream()
                .filter(change -> isNew(stream.namespace(), cause, scopeKind, change, undoMs, nowMs))
                .toList();
    }

    private boolean isNew(
            String namespace, RemovalCause cause, String scopeKind, Change change, long undoMs, long nowMs) {
        long firstMs = proofs.firstDeleteMs(namespace, cause, scopeKind, change);
        return firstMs == Proofs.NONE || nowMs - firstMs < undoMs;
    }
}
