package dev.ebb.topology.trash;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RecentChanges.Change;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.undo.Deletion;
import dev.ebb.domain.undo.Proofs;
import dev.ebb.domain.undo.UndoTerms;
import dev.ebb.model.Policies;

/** Terms of undo for tests. */
public final class TestTerms {

    /** No change has ever deleted anything; nothing is noted. */
    private static final Proofs PROOFS = new Proofs() {
        @Override
        public long firstDeleteMs(String namespace, RemovalCause cause, String scopeKind, Change change) {
            return NONE;
        }

        @Override
        public void deleted(String namespace, RemovalCause cause, String scopeKind, Change change, long nowMs) {}

        @Override
        public void undone(String namespace, Deletion deletion) {}
    };

    /** Every delete is final. */
    public static final UndoTerms NONE = new UndoTerms(() -> PolicySet.empty(Policies.BUILT_IN), 0, PROOFS);

    private TestTerms() {}
}
