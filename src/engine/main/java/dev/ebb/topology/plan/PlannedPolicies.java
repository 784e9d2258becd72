package dev.ebb.topology.plan;

import dev.ebb.domain.command.Command;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.serde.text.PolicyFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Policies of a dry run: those in force, or those with the changes of a file (O-14). Stateless. */
public final class PlannedPolicies {

    private PlannedPolicies() {}

    /** Returns the policies by which the command decides. */
    public static PolicySet of(Command.SweepNow command, PolicySet inForce) {
        return inForce.with(edits(command, inForce));
    }

    /** Returns the changes of the file of a dry run; none if it has no file. */
    public static List<PolicyEdit> edits(Command.SweepNow command, PolicySet inForce) {
        String text = command.policies();
        if (text == null) {
            return List.of();
        }
        PolicyFile file = PolicyFile.read(text);
        List<PolicyEdit> edits = new ArrayList<>();
        file.policies().forEach(policy -> edits.add(new PolicyEdit(PolicyKey.of(policy.scope()), policy, null)));
        file.holds().forEach(hold -> edits.add(new PolicyEdit(hold.key(), null, hold)));
        file.sources().forEach(source -> edits.add(PolicyEdit.of(source)));
        if (command.prunesPolicies()) {
            Set<Scope> named =
                    file.policies().stream().map(policy -> policy.scope()).collect(Collectors.toSet());
            inForce.policies().keySet().stream()
                    .filter(scope -> !named.contains(scope))
                    .forEach(scope -> edits.add(new PolicyEdit(PolicyKey.of(scope), null, null)));
        }
        return edits;
    }
}
