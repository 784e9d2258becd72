package dev.ebb.domain.undo;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RemovalRule;

/**
 * First deletes under each change of the policies: a change proves itself by deleting, not by being in force (T-1).
 * Each cause is proved by itself, since a cap that takes events each second says nothing about an age that takes the
 * first one in three days; and so is each kind of scope, since the policy of one stream that takes events each second
 * says nothing about a change for all others.
 */
public interface Proofs {

    /** No delete for that cause has come yet. */
    long NONE = -1;

    /**
     * Returns the time of the first delete for that cause in the namespace under the change, by a rule of such a scope,
     * epoch milliseconds; {@link #NONE} if there was none.
     *
     * @param namespace see {@link StreamName#namespace}
     * @param scopeKind see {@link RemovalRule#scopeKind}
     */
    long firstDeleteMs(String namespace, RemovalCause cause, String scopeKind, Change change);

    /** Notes a delete for that cause in the namespace under the change by such a rule; only the first one counts. */
    void deleted(String namespace, RemovalCause cause, String scopeKind, Change change, long nowMs);

    /**
     * Notes that a delete in the namespace is undone: the changes that may have made it due have to prove themselves anew,
     * whatever the cause. Otherwise they would delete the same events for good as soon as their notice ends.
     */
    void undone(String namespace, Deletion deletion);
}
