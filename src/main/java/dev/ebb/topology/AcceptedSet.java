package dev.ebb.topology;

import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.ParkedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What the gate has accepted, which every instance has in force or is about to have. Not thread-safe. */
final class AcceptedSet {

    private final GateStore store;
    private final Function<ParkedRecord, PolicyVerdict> judge;
    private final BuiltInPolicies builtIn;
    private final List<PolicyEdit> newer = new ArrayList<>();
    private @Nullable PolicySet policies;

    AcceptedSet(GateStore store, BuiltInPolicies builtIn, Function<ParkedRecord, PolicyVerdict> judge) {
        this.store = store;
        this.builtIn = builtIn;
        this.judge = judge;
    }

    PolicySet current() {
        PolicySet known = policies;
        if (known == null) {
            known = PolicySet.empty(builtIn).with(stored());
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

    private List<PolicyEdit> stored() {
        return store.allAccepted().stream()
                .map(judge)
                .filter(PolicyVerdict::isGood)
                .map(PolicyVerdict::edit)
                .toList();
    }
}
