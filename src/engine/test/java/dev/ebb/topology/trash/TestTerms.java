package dev.ebb.topology.trash;

import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.undo.Proofs;
import dev.ebb.domain.undo.UndoTerms;
import dev.ebb.model.Policies;

/** Terms of undo for tests. */
public final class TestTerms {

    /** Every delete is final. */
    public static final UndoTerms NONE = new UndoTerms(() -> PolicySet.empty(Policies.BUILT_IN), 0, Proofs.EMPTY);

    private TestTerms() {}
}
