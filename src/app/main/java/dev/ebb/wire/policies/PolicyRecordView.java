package dev.ebb.wire.policies;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.ebb.domain.plan.PlanOutcome;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.ShownAs;
import dev.ebb.wire.read.Parameter;
import dev.ebb.wire.read.Read;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One policy.
 *
 * @param scope the streams that the policy applies to
 * @param policy its fields as they are written in a file of policies
 * @param version the version of the record, a number that changes of all scopes share; null if it is built in
 * @param since the time since which this version is in force; null if it is built in
 * @param waiting the change of the policy that the brake holds back; null if there is none, and in lists
 */
public record PolicyRecordView(
        String scope,
        @ShownAs("Policy") JsonNode policy,
        @Nullable Long version,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Instant since,
        boolean builtIn,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable WaitingPolicyView waiting) {

    /** Lists policies. */
    public static final Read<Query, All> LIST =
            new Read<>("/v1/policies", "Lists the policies in force, the widest scope first.", Query.class, All.class);

    /** Shows one policy. */
    public static final Read<One, PolicyRecordView> SHOW = new Read<>(
            "/v1/policies/{scope}",
            "Shows the policy of a scope, in force or else built in, and the change of this policy that the brake holds"
                    + " back.",
            One.class,
            PolicyRecordView.class);

    /** A selection of policies. */
    public record Query(
            @Parameter(
                    value = "Also list the built-in policies, which apply where no policy is set.",
                    name = "built-in")
            boolean withBuiltIn) {}

    /** The scope of a policy. */
    public record One(
            @Parameter("stream:<name>, namespace:<name>, pattern:<name> or *.")
            Scope scope) {}

    public static final Comparator<PolicyRecordView> WIDEST_FIRST = Comparator.comparing(
                    (PolicyRecordView view) -> Scope.parse(view.scope))
            .thenComparing(view -> !view.builtIn);

    /** All requested policies, widest first, and the version of the policies in force. */
    public record All(long version, List<PolicyRecordView> policies) {}

    /**
     * Outcome of a change.
     *
     * @param inForce false if the change was sent but not yet seen in force
     * @param version the version of the policies in force
     * @param set the scopes whose policies were set, and {@code hold:<case>} of holds that were placed; without waiting
     *     ones
     * @param removed the scopes whose policies were removed, and {@code hold:<case>} of holds that were released;
     *     without waiting ones
     * @param warnings oddities that are no faults
     * @param waiting changes that the brake holds back until an operator confirms them
     * @param withdrawn changes of these scopes and cases that the brake held back until this change
     * @param plan the plan by which the change was made, with the events that the file deletes and those that it
     *     leaves; left out if there is none
     */
    public record Changed(
            boolean inForce,
            long version,
            List<String> set,
            List<String> removed,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ProblemView.Fault> warnings,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<WaitingPolicyView> waiting,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> withdrawn,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            PlanOutcome plan) {

        /** Creates an outcome of a change without a plan. */
        public Changed(
                boolean inForce,
                long version,
                List<String> set,
                List<String> removed,
                List<ProblemView.Fault> warnings,
                List<WaitingPolicyView> waiting,
                List<String> withdrawn) {
            this(inForce, version, set, removed, warnings, waiting, withdrawn, null);
        }

        /** Returns this outcome with the plan of the change; null for none. */
        public Changed by(@Nullable PlanOutcome made) {
            return new Changed(inForce, version, set, removed, warnings, waiting, withdrawn, made);
        }

        /**
         * @param before the policies in force before the change; a key that was not among them is not reported as
         *     removed
         */
        public static Changed of(
                PolicyBatch change, PolicySet before, PolicyAdmin.Outcome outcome, List<ProblemView.Fault> warnings) {
            Set<PolicyKey> waiting =
                    outcome.waiting().stream().map(WaitingPolicy::key).collect(Collectors.toSet());
            Stream<PolicyKey> set = Stream.of(
                            change.policies().stream().map(policy -> PolicyKey.of(policy.scope())),
                            change.holds().stream().map(Hold::key),
                            change.sources().stream().map(source -> PolicyKey.ofSource(source.name())))
                    .flatMap(keys -> keys)
                    .filter(key -> !waiting.contains(key));
            Stream<PolicyKey> removed =
                    change.removals().stream().sorted().filter(key -> before.contains(key) && !waiting.contains(key));
            return new Changed(
                    outcome.isInForce(),
                    outcome.version(),
                    set.map(PolicyKey::toString).toList(),
                    removed.map(PolicyKey::toString).toList(),
                    warnings,
                    outcome.waiting().stream().map(WaitingPolicyView::of).toList(),
                    outcome.withdrawn().stream().map(PolicyKey::toString).toList());
        }
    }
}
