package dev.ebb.api.policies;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.api.access.Role;
import dev.ebb.api.commands.CommandConfirmation;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.names.KnownNames;
import dev.ebb.domain.policy.Hold;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.RetentionPolicy;
import dev.ebb.domain.policy.change.PolicyBatch;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.SourceDesk;
import dev.ebb.port.StatusSource;
import dev.ebb.serde.text.PolicyFile;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.policies.PolicyFileComparisonView;
import dev.ebb.wire.policies.PolicyRecordView;
import io.javalin.http.Context;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whole files of policies and holds (O-13): applies a file at once, compares it with what is in force, and exports what
 * is in force.
 */
public final class PolicyFileResource implements ApiResource {

    private static final String YAML = "application/yaml";

    private final PolicyAdmin policies;
    private final SourceDesk sources;
    private final RequestBody body;
    private final PolicyChanges changes;
    private final CommandConfirmation commands;
    private final StatusSource status;
    private final KnownNames names;
    private final Clock clock;

    /** @param clock the clock of the instance */
    public PolicyFileResource(
            ApiPorts ports,
            CommandConfirmation commands,
            RequestBody body,
            PolicyChanges changes,
            KnownNames names,
            Clock clock) {
        this.names = names;
        this.policies = ports.policies();
        this.sources = ports.sources();
        this.body = body;
        this.changes = changes;
        this.commands = commands;
        this.status = ports.status();
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        String apply = "/v1/policies:apply";
        String diff = "/v1/policies/diff";
        return List.of(
                ApiRoute.post(
                                Role.ADMIN,
                                apply,
                                this::apply,
                                "Applies a file of policies, holds and sources, all at once.")
                        .flag("prune", "Remove the policies that are not in the file.")
                        .flag(NewHolds.ANYWAY, "Place holds even if they cover no stream now.")
                        .query(
                                "plan",
                                "Id of a dry run: apply the file only if it deletes no event that the dry run did not list.")
                        .authored("change")
                        .takes(YAML, "PolicyFile")
                        .answersInTime(PolicyRecordView.Changed.class),
                ApiRoute.post(
                                Role.VIEWER,
                                diff,
                                this::diff,
                                "Compares a file with the policies, holds and sources in force.")
                        .takes(YAML, "PolicyFile")
                        .answers(PolicyFileComparisonView.class),
                ApiRoute.get(
                                "/v1/policies/export",
                                this::export,
                                "Exports the policies, holds and sources in force as a file.")
                        .answers("PolicyFile"));
    }

    /**
     * Takes a whole file, in force all at once. With {@code prune}, policies that the file does not have are removed;
     * holds and sources never are. Records that are already in force are not sent again, so that applying a file twice changes
     * nothing.
     */
    private void apply(Context ctx, QueryParams params) {
        boolean prune = params.flag("prune");
        boolean anyway = params.flag(NewHolds.ANYWAY);
        String actor = Guard.actor(ctx, params.text("actor", ""));
        String reason = params.text("reason", "");
        String planId = params.text("plan");
        params.done();
        String text = body.yamlText(ctx);
        PolicyBodies.Parsed file = PolicyBodies.file(text);
        PolicySet current = policies.current();
        if (planId == null) {
            PolicyBodies.refuseEmpty(file, prune, current);
        }
        refuseOtherCover(file.holds(), current);
        refuse(SourceConflicts.faults(file.sources(), current));
        PolicyFileComparison comparison =
                new PolicyFileComparison(file.policies(), file.holds(), file.sources(), current);
        SourceTopics topics = SourceTopics.of(comparison.changedSources(), sources);
        refuse(topics.refusals());
        if (!anyway) {
            refuse(NewHolds.gaps(comparison.changedHolds(), names, ctx));
        }
        Set<PolicyKey> removals = prune ? notIn(file.policies(), current) : Set.of();
        List<RetentionPolicy> changed = comparison.changedPolicies().stream()
                .map(policy -> by(actor, Signed.policy(ctx, policy)))
                .toList();
        List<Hold> placed = comparison.changedHolds().stream()
                .map(hold -> Signed.hold(ctx, hold).placed(actor, 0))
                .toList();
        PolicyBatch batch = new PolicyBatch(changed, placed, removals, actor, reason).with(comparison.changedSources());
        if (planId == null) {
            List<Fault> warnings = new ArrayList<>(warnings(ctx, file, current));
            warnings.addAll(topics.warnings());
            if (anyway) {
                warnings.addAll(NewHolds.warnings(placed, names, ctx));
            }
            changes.publish(ctx, batch, warnings);
        } else {
            PlannedFile planned = new PlannedFile(commands.deskFor(ctx), status, clock);
            PlannedFile.Passed passed = planned.hold(planId, text, prune, actor, current);
            changes.publishPlanned(
                    ctx,
                    batch,
                    current,
                    passed.plan(),
                    waiting -> planned.confirms(waiting, passed.dueSince()),
                    "is held back although it was planned: " + passed.dueSince()
                            + " events have fallen due since, more than the brake allows without a confirmation;"
                            + " confirm it, or withdraw it and make a new plan",
                    warnings(ctx, file, current));
        }
    }

    /**
     * Answers with the changes that applying the file would make, and with the policies that the file does not have.
     */
    private void diff(Context ctx, QueryParams params) {
        params.done();
        PolicyBodies.Parsed file = PolicyBodies.file(body.yamlText(ctx));
        PolicySet current = policies.current();
        ApiJson.answer(
                ctx,
                new PolicyFileComparison(file.policies(), file.holds(), file.sources(), current)
                        .view(warnings(ctx, file, current)));
    }

    /** Answers with the file that, applied, changes nothing: as JSON, or as YAML for callers that accept it. */
    private void export(Context ctx, QueryParams params) {
        params.done();
        ObjectNode file = PolicyFile.of(policies.current());
        String accept = ctx.header("Accept");
        if (accept != null && accept.contains("yaml")) {
            ctx.contentType(YAML).result(PolicyFile.yaml(file));
        } else {
            ApiJson.answer(ctx, file);
        }
    }

    /** Returns the policy; one without an author gets the name of the caller that applies the file. */
    private static RetentionPolicy by(String actor, RetentionPolicy policy) {
        return policy.updatedBy() == null && !actor.isEmpty()
                ? policy.toBuilder().updatedBy(actor).build()
                : policy;
    }

    private List<Fault> warnings(Context ctx, PolicyBodies.Parsed file, PolicySet current) {
        List<Fault> all = new ArrayList<>(file.warnings(current, policies.undoMax(), scope -> names.gap(ctx, scope)));
        all.addAll(Consequences.warnings(current, file.on(current, Set.of())));
        return all;
    }

    private static void refuseOtherCover(List<Hold> holds, PolicySet current) {
        List<Fault> faults = holds.stream()
                .filter(hold -> NewHolds.coversOther(hold, current))
                .map(hold -> new Fault(hold.key().toString(), NewHolds.otherCover(hold, current)))
                .toList();
        refuse(faults);
    }

    private static void refuse(List<Fault> faults) {
        if (!faults.isEmpty()) {
            throw new ProblemException(ProblemKind.REFUSED, PolicyBodies.REFUSED_FILE, faults);
        }
    }

    private static Set<PolicyKey> notIn(List<RetentionPolicy> kept, PolicySet current) {
        Set<PolicyKey> keys = new TreeSet<>();
        current.policies().keySet().forEach(scope -> keys.add(PolicyKey.of(scope)));
        kept.forEach(policy -> keys.remove(PolicyKey.of(policy.scope())));
        return keys;
    }
}
