package dev.ebb.topology.gate;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.InputRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the gate has accepted, which every instance has in force or is about to have. Not thread-safe. */
final class AcceptedSet {

    private final GateStore store;
    private final Function<InputRecord, PolicyVerdict> judge;
    private final BuiltInPolicies builtIn;
    private final List<PolicyEdit> newer = new ArrayList<>();
    private @Nullable PolicySet policies;
    private @Nullable InputRecord unread;

    AcceptedSet(GateStore store, BuiltInPolicies builtIn, Function<InputRecord, PolicyVerdict> judge) {
        this.store = store;
        this.builtIn = builtIn;
        this.judge = judge;
    }

    /** Null as long as one of them cannot be read: what an older version has accepted may have a schema that is not known yet. */
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

    /** For the next look at them. */
    void accepted(PolicyEdit edit) {
        newer.add(edit);
    }

    /** Thousands of changes may ask for them while one of them waits: until that can be read, nothing else is looked at. */
    private @Nullable List<PolicyEdit> stored() {
        if (unread != null && judge.apply(unread).waitsFor() != null) {
            return null;
        }
        List<PolicyEdit> edits = new ArrayList<>();
        for (InputRecord record : store.allAccepted()) {
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
