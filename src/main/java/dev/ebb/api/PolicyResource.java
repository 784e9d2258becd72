package dev.ebb.api;

import dev.ebb.api.PolicyAdmin.Change;
import dev.ebb.api.PolicyAdmin.Outcome;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.policy.VersionedPolicy;
import dev.ebb.serde.PolicyJson;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Policies: the records in force, and changes of them. */
final class PolicyResource implements ApiResource {

    private final PolicyAdmin policies;
    private final RequestBody body;
    private final Duration wait;

    PolicyResource(PolicyAdmin policies, RequestBody body, Duration wait) {
        this.policies = policies;
        this.body = body;
        this.wait = wait;
    }

    @Override
    public List<ApiRoute> routes() {
        String one = "/v1/policies/{scope}";
        return List.of(
                ApiRoute.get("/v1/policies", this::list, "Lists the policies in force, widest first.")
                        .flag("built-in", "Also the built-in ones.")
                        .answers(PolicyRecordView.All.class),
                ApiRoute.post("/v1/policies:apply", this::apply, "Applies a file of policies, all at once.")
                        .flag("prune", "Also removes the policies that the file does not have.")
                        .takes("application/yaml", "PolicyFile")
                        .answers(PolicyRecordView.Changed.class)
                        .answers(202, PolicyRecordView.Changed.class),
                ApiRoute.get(one, this::get, "The policy of a scope.").answers(PolicyRecordView.class),
                ApiRoute.put(one, this::put, "Sets the policy of a scope.")
                        .takes("Policy")
                        .answers(PolicyRecordView.Changed.class)
                        .answers(202, PolicyRecordView.Changed.class),
                ApiRoute.delete(one, this::delete, "Removes the policy of a scope.")
                        .answers(PolicyRecordView.Changed.class)
                        .answers(202, PolicyRecordView.Changed.class));
    }

    private void list(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "built-in");
        boolean withBuiltIn = params.flag("built-in");
        params.done();
        PolicySet current = policies.current();
        List<PolicyRecordView> views = new ArrayList<>();
        if (withBuiltIn) {
            current.builtIn().all().values().forEach(policy -> views.add(builtIn(policy)));
        }
        current.policies().values().forEach(record -> views.add(view(record)));
        views.sort(PolicyRecordView.WIDEST_FIRST);
        ApiJson.answer(ctx, new PolicyRecordView.All(current.version(), views));
    }

    /** The record in force or else the built-in policy of the scope. */
    private void get(Context ctx) {
        QueryParams.refuseAll(ctx);
        Scope scope = PathNames.scope(ctx);
        PolicySet current = policies.current();
        VersionedPolicy record = current.policies().get(scope);
        RetentionPolicy builtIn = current.builtIn().all().get(scope);
        if (record != null) {
            ApiJson.answer(ctx, view(record));
        } else if (builtIn != null) {
            ApiJson.answer(ctx, builtIn(builtIn));
        } else {
            throw noPolicy(scope);
        }
    }

    private void put(Context ctx) {
        QueryParams.refuseAll(ctx);
        Scope scope = PathNames.scope(ctx);
        PolicyBodies.Parsed parsed = PolicyBodies.policy(scope, body.jsonText(ctx));
        publish(ctx, new Change(parsed.policies(), Set.of()), parsed.warnings());
    }

    private void delete(Context ctx) {
        QueryParams.refuseAll(ctx);
        Scope scope = PathNames.scope(ctx);
        if (!policies.current().policies().containsKey(scope)) {
            throw noPolicy(scope);
        }
        publish(ctx, new Change(List.of(), Set.of(scope)), List.of());
    }

    /** Takes a whole file, in force all at once; with {@code prune} what it does not name is removed. */
    private void apply(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "prune");
        boolean prune = params.flag("prune");
        params.done();
        PolicyBodies.Parsed parsed = PolicyBodies.file(body.yamlText(ctx));
        Set<Scope> removals = prune ? notIn(parsed.policies()) : Set.of();
        publish(ctx, new Change(parsed.policies(), removals), parsed.warnings());
    }

    private Set<Scope> notIn(List<RetentionPolicy> kept) {
        Set<Scope> scopes = new TreeSet<>(policies.current().policies().keySet());
        kept.forEach(policy -> scopes.remove(policy.scope()));
        return scopes;
    }

    private void publish(Context ctx, Change change, List<ProblemView.Fault> warnings) {
        boolean isEmpty = change.policies().isEmpty() && change.removals().isEmpty();
        Outcome outcome = isEmpty ? new Outcome(true, policies.current().version()) : policies.publish(change, wait);
        ctx.status(outcome.isInForce() ? 200 : 202);
        ApiJson.answer(ctx, PolicyRecordView.Changed.of(change, outcome, warnings));
    }

    private static PolicyRecordView view(VersionedPolicy record) {
        return view(record.policy(), record.version(), false);
    }

    private static PolicyRecordView builtIn(RetentionPolicy policy) {
        return view(policy, null, true);
    }

    private static PolicyRecordView view(RetentionPolicy policy, @Nullable Long version, boolean builtIn) {
        return new PolicyRecordView(policy.scope().toString(), PolicyJson.write(policy), version, builtIn);
    }

    private static ProblemException noPolicy(Scope scope) {
        return ProblemException.notFound("there is no policy for " + scope);
    }
}
