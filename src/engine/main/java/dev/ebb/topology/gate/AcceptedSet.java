package dev.ebb.topology.gate;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Policies and holds that the gate has accepted: in force on every instance, or about to be. Not thread-safe. */
final class AcceptedSet {

    private final GateStore store;
    private final Function<GateRecord, PolicyVerdict> judge;
    private final BuiltInPolicies builtIn;
    private final List<PolicyEdit> newer = new ArrayList<>();
    private @Nullable PolicySet policies;
    private @Nullable GateRecord unread;

    AcceptedSet(GateStore store, BuiltInPolicies builtIn, Function<GateRecord, PolicyVerdict> judge) {
        this.store = store;
        this.builtIn = builtIn;
        this.judge = judge;
    }

    /**
     * Returns the accepted set; null while a record cannot be read: a record of an older version may have a schema that
     * is not known yet.
     */
    @Nullable
    PolicySet current() {
        PolicySet known = policies;
        if (known == null) {
            List<PolicyEdit> stored = stored();
            if (stored == null) {
                return null;
            }
            known = PolicySet.empty(builtIn).with(stored);
        } else if (!newer.isEmpty()) {
            known = known.with(newer);
        }
        newer.clear();
        policies = known;
        return known;
    }

    /** Notes an accepted change for the next look at the set. */
    void accepted(PolicyEdit edit) {
        newer.add(edit);
    }

    /** Reads the stored records. While one is unreadable, no other is tried: thousands of changes may ask for them. */
    private @Nullable List<PolicyEdit> stored() {
        if (unread != null && judge.apply(unread).waitsFor() != null) {
            return null;
        }
        List<PolicyEdit> edits = new ArrayList<>();
        for (GateRecord record : store.allAccepted()) {
            PolicyVerdict verdict = judge.apply(record);
            if (verdict.waitsFor() != null) {
                unread = record;
                return null;
            }
            if (verdict.isGood()) {
                edits.add(verdict.edit());
            }
        }
        unread = null;
        return edits;
    }
}
