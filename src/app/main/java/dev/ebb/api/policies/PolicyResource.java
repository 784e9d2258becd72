package dev.ebb.api.policies;

import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.names.KnownNames;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.domain.policy.change.WaitingPolicy;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.WaitingPolicyView;
import dev.ebb.serde.text.PolicyJson;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Policies: the records in force, and their changes. */
public record PolicyResource(PolicyAdmin policies, RequestBody body, PolicyChanges changes, KnownNames names)
        implements ApiResource {

    @Override
    public List<ApiRoute> routes() {
        String one = "/v1/policies/{scope}";
        return List.of(
                ReadRoute.of(PolicyRecordView.LIST, query -> list(query.withBuiltIn())),
                ReadRoute.of(PolicyRecordView.SHOW, query -> show(query.scope())),
                ApiRoute.put(Role.ADMIN, one, this::put, "Sets the policy of a scope.")
                        .takes("Policy")
                        .answersInTime(PolicyRecordView.Changed.class),
                ApiRoute.delete(
                                Role.ADMIN,
                                one,
                                this::delete,
                                "Removes the policy of a scope, or withdraws a change that waits for it.")
                        .authored("change")
                        .answersInTime(PolicyRecordView.Changed.class));
    }

    private PolicyRecordView.All list(boolean withBuiltIn) {
        PolicySet current = policies.current();
        List<PolicyRecordView> views = new ArrayList<>();
        if (withBuiltIn) {
            current.builtIn().all().values().forEach(policy -> views.add(builtIn(policy, null)));
        }
        current.policies().values().forEach(record -> views.add(view(record, null)));
        views.sort(PolicyRecordView.WIDEST_FIRST);
        return new PolicyRecordView.All(current.version(), views);
    }

    /** Answers with the record in force, or else with the built-in policy of the scope. */
    private PolicyRecordView show(Scope scope) {
        PolicySet current = policies.current();
        WaitingPolicyView waiting = waiting(scope).map(WaitingPolicyView::of).orElse(null);
        VersionedPolicy record = current.policies().get(scope);
        RetentionPolicy builtIn = current.builtIn().all().get(scope);
        if (record != null) {
            return view(record, waiting);
        } else if (builtIn != null) {
            return builtIn(builtIn, waiting);
        }
        throw waiting == null ? noPolicy(scope) : onlyWaiting(waiting);
    }

    private void put(Context ctx, QueryParams params) {
        params.done();
        Scope scope = PathNames.scope(ctx);
        PolicyBodies.Parsed parsed = PolicyBodies.policy(scope, body.jsonText(ctx));
        List<RetentionPolicy> signed = parsed.policies().stream()
                .map(policy -> Signed.policy(ctx, policy))
                .toList();
        PolicySet current = policies.current();
        List<Fault> warnings =
                new ArrayList<>(parsed.warnings(current, policies.undoMax(), named -> names.gap(ctx, named)));
        warnings.addAll(Consequences.warnings(current, parsed.on(current, Set.of())));
        changes.publish(ctx, PolicyBatch.ofPolicies(signed), warnings);
    }

    private void delete(Context ctx, QueryParams params) {
        Scope scope = PathNames.scope(ctx);
        params.done();
        if (!policies.current().policies().containsKey(scope) && waiting(scope).isEmpty()) {
            throw noPolicy(scope);
        }
        changes.remove(ctx, PolicyKey.of(scope), Guard.actor(ctx, params.text("actor", "")), params.text("reason", ""));
    }

    private Optional<WaitingPolicy> waiting(Scope scope) {
        return policies.waiting(PolicyKey.of(scope));
    }

    private static PolicyRecordView view(VersionedPolicy record, @Nullable WaitingPolicyView waiting) {
        return new PolicyRecordView(
                record.policy().scope().toString(),
                PolicyJson.write(record.policy()),
                record.version(),
                Instant.ofEpochMilli(record.sinceMs()),
                false,
                waiting);
    }

    private static PolicyRecordView builtIn(RetentionPolicy policy, @Nullable WaitingPolicyView waiting) {
        return new PolicyRecordView(policy.scope().toString(), PolicyJson.write(policy), null, null, true, waiting);
    }

    private static ProblemException onlyWaiting(WaitingPolicyView waiting) {
        return ProblemException.notFound("there is no policy for " + waiting.key() + " yet: version "
                + waiting.version() + " of it is held back, " + waiting.why());
    }

    private static ProblemException noPolicy(Scope scope) {
        return ProblemException.notFound("there is no policy for " + scope);
    }
}
