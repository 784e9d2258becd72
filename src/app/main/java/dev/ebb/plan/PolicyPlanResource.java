package dev.ebb.plan;

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
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.policies.PolicyBodies;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.policy.Scope;
import dev.ebb.domain.source.Source;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** A dry run of a file of policies and holds, in sums by namespace and cause (C-4). */
public final class PolicyPlanResource implements ApiResource {

    private static final Duration WAIT = Duration.ofSeconds(30);

    private final StatusSource status;
    private final PolicyAdmin policies;
    private final CommandConfirmation commands;
    private final Gathering gathering;
    private final RequestBody body;

    public PolicyPlanResource(ApiPorts ports, CommandConfirmation commands, Gathering gathering, RequestBody body) {
        this.status = ports.status();
        this.policies = ports.policies();
        this.commands = commands;
        this.gathering = gathering;
        this.body = body;
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(ApiRoute.post(
                        Role.OPERATOR,
                        "/v1/policies:plan",
                        this::plan,
                        "Plans a file of policies and holds: shows the events that it would delete at the next sweep, by"
                                + " namespace and cause, beside the stored events and the limit of the brake.")
                .flag("prune", "Plan as if the policies that are not in the file were removed.")
                .query("commandId", "Id of the dry run. A dry run that is sent twice under one id is made once.")
                .query("wait", "Longest wait for the result, for example 10s. Default: 30s.")
                .query("actor", "Author of the plan.")
                .takes("application/yaml", "PolicyFile")
                .answersInTime(PolicyPlanView.class));
    }

    private void plan(Context ctx, QueryParams params) {
        boolean prune = params.flag("prune");
        String id = params.text("commandId", UUID.randomUUID().toString());
        Duration wait = params.wait(WAIT);
        String actor = Guard.actor(ctx, params.text("actor", ""));
        params.done();
        String text = body.yamlText(ctx);
        PolicyBodies.Parsed file = PolicyBodies.file(text);
        CommandRequest request =
                new CommandRequest(id, actor, "", true, null, new Command.SweepNow(Scope.ALL, null, text, prune), null);
        CommandDesk desk = commands.deskFor(ctx);
        desk.find(id).ifPresent(known -> requireSame(request, known));
        desk.submit(request);
        Optional<CommandResult> found = desk.await(id, wait);
        found.ifPresent(known -> requireSame(request, known));
        CommandResult result = found.orElse(null);
        Refusal refusal = result == null ? null : result.refusal();
        if (result != null && refusal != null) {
            throw new ProblemException(
                    refusal == Refusal.BUSY ? ProblemKind.TOO_MANY_REQUESTS : ProblemKind.REFUSED,
                    "the file cannot be planned (" + refusal + "): " + result.detail());
        }
        Gathering.Gathered<StatusView> gathered = gathering.all(ctx, "/v1/status", StatusView.class, status::status);
        PolicyPlanView view = new PlannedSums(id, result, sources(file)).view(gathered);
        if (result == null || !result.isFinal()) {
            ctx.status(202);
        }
        ApiJson.answer(ctx, view);
    }

    private List<Source> sources(PolicyBodies.Parsed file) {
        return file.on(policies.current(), Set.of()).sources().all().toList();
    }

    private static void requireSame(CommandRequest request, CommandResult known) {
        if (!known.isTurnedAway()
                && !known.fingerprint().isEmpty()
                && !known.fingerprint().equals(request.fingerprint())) {
            throw new ProblemException(
                    ProblemKind.CONFLICT,
                    "the id '" + request.commandId() + "' belongs to another command; use another one");
        }
    }
}
