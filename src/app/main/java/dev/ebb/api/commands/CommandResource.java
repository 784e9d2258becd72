package dev.ebb.api.commands;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.ebb.api.access.Role;
import dev.ebb.api.door.Guard;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.domain.command.Command;
import dev.ebb.domain.command.CommandField;
import dev.ebb.domain.command.CommandKind;
import dev.ebb.domain.command.CommandRequest;
import dev.ebb.domain.command.CommandResult;
import dev.ebb.domain.command.Refusal;
import dev.ebb.domain.undo.UndoFilter;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.CommandDesk;
import dev.ebb.port.HealthSource;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.UnavailableException;
import dev.ebb.undo.UndoPreparation;
import dev.ebb.undo.UndoPreparation.Wish;
import dev.ebb.wire.PathSegment;
import dev.ebb.wire.ProblemView;
import dev.ebb.wire.commands.CommandResultView;
import dev.ebb.wire.commands.CommandRoute;
import dev.ebb.wire.commands.PreparedView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Resource that sends commands, waits for their results, and looks them up. */
public final class CommandResource implements ApiResource {

    private static final Duration WAIT = Duration.ofSeconds(10);
    /**
     * Most callers that wait at the same time: each of them occupies a thread of the server, and the other threads are
     * for all other requests.
     */
    private static final int MAX_WAITING = 64;

    /** Most callers beyond these that wait for small deletes, which end soon beside any crowd. */
    private static final int MAX_WAITING_SMALL = 8;

    private static final String ACTOR = "api";
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private final CommandConfirmation commands;
    private final HealthSource health;
    private final RequestBody body;
    private final PolicyAdmin policies;
    private final Duration policyWait;
    private final Consent consent;
    private final Semaphore places = new Semaphore(MAX_WAITING);
    private final Semaphore placesOfSmall = new Semaphore(MAX_WAITING_SMALL);

    /**
     * @param policyWait the longest wait for a change of policies that precedes an undo
     * @param second tells whether an erasure needs two people
     */
    public CommandResource(
            ApiPorts ports, CommandConfirmation commands, RequestBody body, Duration policyWait, SecondPerson second) {
        this.commands = commands;
        this.health = ports.health();
        this.body = body;
        this.policies = ports.policies();
        this.policyWait = policyWait;
        this.consent = new Consent(second);
    }

    @Override
    public List<ApiRoute> routes() {
        Map<CommandRoute, List<CommandKind<?>>> byRoute = Command.Kinds.LIST.stream()
                .collect(Collectors.groupingBy(CommandRoute::of, LinkedHashMap::new, Collectors.toList()));
        List<ApiRoute> routes = new ArrayList<>();
        byRoute.forEach((route, kinds) -> routes.add(more(command(route(route, kinds)), kinds)));
        routes.add(
                ApiRoute.get("/v1/commands/{commandId}", this::get, "Shows the progress of a command, or its result.")
                        .query("wait", "Longest wait for the result, for example 10s.")
                        .answers(CommandResultView.class));
        routes.add(commands.route());
        return routes;
    }

    private static Role role(List<CommandKind<?>> kinds) {
        if (kinds.contains(Command.EraseEvents.KIND)) {
            return Role.ERASER;
        }
        if (kinds.contains(Command.UndoDeletes.KIND)) {
            return Role.RESTORER;
        }
        return kinds.stream().anyMatch(CommandKind::isForAdmins) ? Role.ADMIN : Role.OPERATOR;
    }

    private ApiRoute route(CommandRoute route, List<CommandKind<?>> kinds) {
        Role role = role(kinds);
        String summary = kinds.stream().map(CommandKind::summary).collect(Collectors.joining(" Or: "));
        ApiRoute.RouteHandler handler = (ctx, params) -> submit(ctx, params, kinds);
        return switch (route.method()) {
            case POST -> ApiRoute.post(role, route.path(), handler, summary);
            case PUT -> ApiRoute.put(role, route.path(), handler, summary);
            case DELETE -> ApiRoute.delete(role, route.path(), handler, summary);
        };
    }

    private static ApiRoute command(ApiRoute route) {
        return route.query("wait", "Longest wait for the result, for example 10s.")
                .query("commandId", "Id of the command. A command that is sent twice under one id is carried out once.")
                .authored("command")
                .flag("dryRun", "Only show what the command would do.")
                .flag("force", "Override open work and protection, but never holds.")
                .with(new ApiRoute.Query(
                        "maxDeletes", "integer", "Refuses the command if it would delete more events than this."))
                .query("plan", "Id of a dry run: delete the events that it listed, and no others.")
                .mayTake("CommandFields")
                .answersInTime(CommandResultView.class);
    }

    private static ApiRoute more(ApiRoute route, List<CommandKind<?>> kinds) {
        return kinds.contains(Command.UndoDeletes.KIND)
                ? route.query(
                                "hold",
                                "Case of a hold to place first, over each stream to which something comes back: CASE for one stream, CASE-1, CASE-2 and so on for several.")
                        .flag("revert", "First put the policy from before the named change back in force.")
                : route;
    }

    private void submit(Context ctx, QueryParams params, List<CommandKind<?>> kinds) {
        CommandBodies fields = new CommandBodies(ctx);
        if (ctx.pathParamMap().containsKey("stream")) {
            fields.with("stream", PathNames.stream(ctx).value());
        }
        if (ctx.pathParamMap().containsKey("id")) {
            fields.with("eventId", PathNames.event(ctx).value());
        }
        if (ctx.pathParamMap().containsKey("name")) {
            fields.with("source", PathNames.sourceName(ctx));
        }
        fields.withBody(body.optionalJsonText(ctx));
        CommandKind<?> kind = meant(kinds, fields);
        boolean hasPlan = fields.has("plan") || ctx.queryParam("plan") != null;
        if (kind.takes(CommandField.KEEP_LAST) && !hasPlan) {
            // Without a condition nothing would be deleted, which no caller can intend.
            fields.requireOneOf("keepLast", "completedBefore");
        }
        send(ctx, params, kind, fields);
    }

    /**
     * Returns the first of these kinds that has a field of the request which the last kind does not take, or else the
     * last kind.
     */
    private static CommandKind<?> meant(List<CommandKind<?>> kinds, CommandBodies fields) {
        CommandKind<?> last = kinds.get(kinds.size() - 1);
        return kinds.stream()
                .filter(kind ->
                        kind.fields().stream().anyMatch(field -> fields.has(field.text()) && !last.takes(field)))
                .<CommandKind<?>>map(kind -> kind)
                .findFirst()
                .orElse(last);
    }

    /**
     * Answers with the result of a command. A refused command is no error of this request, which only asks about it.
     */
    private void get(Context ctx, QueryParams params) {
        Duration wait = params.wait(Duration.ZERO);
        params.done();
        String commandId = PathNames.commandId(ctx);
        CommandResult result = await(commands.deskFor(ctx), commandId, wait).orElseThrow(() -> unknown(commandId));
        ApiJson.answer(ctx, CommandResultView.of(result));
    }

    /**
     * Returns the error for an unknown command. A command that was sent before a restart may still be in a partition
     * that is not back yet.
     */
    private RuntimeException unknown(String commandId) {
        String detail = "the command '" + commandId + "' is not known";
        HealthSource.Health ready = health.ready();
        return ready.isUp()
                ? ProblemException.notFound(detail)
                : new NotReadyException(detail + " yet: " + ready.reason(), Duration.ofSeconds(1));
    }

    private void send(Context ctx, QueryParams params, CommandKind<?> kind, CommandBodies fields) {
        Duration wait = params.wait(WAIT);
        addParameters(ctx, params, fields.with("verb", kind.verb()));
        Wish wish = kind.equals(Command.UndoDeletes.KIND)
                ? new Wish(params.text("hold"), params.flag("revert"))
                : Wish.NONE;
        params.done();
        CommandRequest request = fields.request();
        if (wish.isNone()) {
            CommandDesk desk = commands.deskFor(ctx);
            consent.require(ctx, request, desk);
            requireSameCommand(request, desk.find(request.commandId()));
            send(ctx, request, null, wait);
        } else {
            undo(ctx, request, wish, wait);
        }
    }

    private void send(Context ctx, CommandRequest request, @Nullable PreparedView prepared, Duration wait) {
        CommandDesk desk = commands.deskFor(ctx);
        desk.submit(request);
        Optional<CommandResult> found = awaitSent(desk, request, wait);
        if (prepared == null) {
            requireSameCommand(request, found);
        }
        answer(ctx, request.commandId(), found, prepared);
    }

    /**
     * Sends an undo after its preparation. A dry run prepares nothing, and an undo that is known under its id is
     * prepared already.
     */
    private void undo(Context ctx, CommandRequest request, Wish wish, Duration wait) {
        UndoFilter filter = ((Command.UndoDeletes) request.command()).filter();
        UndoPreparation.check(wish, filter);
        CommandDesk desk = commands.deskFor(ctx);
        Optional<CommandResult> known = desk.find(request.commandId());
        if (request.isDryRun()) {
            requireSameCommand(request, known);
            send(ctx, request, null, wait);
            return;
        }
        if (known.isPresent() && !known.get().isTurnedAway()) {
            requireSameKind(request, known.get());
            answer(ctx, request.commandId(), await(desk, request.commandId(), wait), null);
            return;
        }
        UndoPreparation preparation = new UndoPreparation(desk, policies, policyWait);
        PreparedView prepared = preparation.prepare(wish, request, Guard.actor(ctx, request.actor()));
        if (prepared == null) {
            send(ctx, request, null, wait);
            return;
        }
        Command fenced = new Command.UndoDeletes(filter, prepared.policyVersion());
        try {
            send(ctx, request.of(fenced), prepared, wait);
        } catch (UnavailableException e) {
            throw new ProblemException(ProblemKind.UNAVAILABLE, e.getMessage() + "; " + prepared.text());
        } catch (NotReadyException e) {
            throw new NotReadyException(e.getMessage() + "; " + prepared.text(), e.retryAfter());
        }
    }

    private static void addParameters(Context ctx, QueryParams params, CommandBodies fields) {
        fields.with("commandId", ctx.header(IDEMPOTENCY_KEY))
                .with("commandId", params.text("commandId"))
                .with("actor", params.text("actor"))
                .with("reason", params.text("reason"))
                .with("dryRun", params.flag("dryRun") ? Boolean.TRUE : null)
                .with("force", params.flag("force") ? Boolean.TRUE : null)
                .withNumber("maxDeletes", params.text("maxDeletes"))
                .with("plan", params.text("plan"))
                .orElse("commandId", UUID.randomUUID().toString())
                .orElse("actor", ACTOR)
                .instead("actor", Guard.caller(ctx).name());
    }

    /** Returns the result of a command that was sent; empty if its partition cannot confirm one now. */
    private Optional<CommandResult> awaitSent(CommandDesk desk, CommandRequest request, Duration wait) {
        try {
            return await(desk, request.commandId(), wait, isSmall(request.command()));
        } catch (NotReadyException e) {
            return Optional.empty();
        }
    }

    private static boolean isSmall(Command command) {
        return command instanceof Command.DeleteStream || command instanceof Command.DeleteEvent;
    }

    private Optional<CommandResult> await(CommandDesk desk, String commandId, Duration wait) {
        return await(desk, commandId, wait, false);
    }

    private Optional<CommandResult> await(CommandDesk desk, String commandId, Duration wait, boolean isSmall) {
        @Nullable
        Semaphore taken = wait.isZero()
                ? null
                : places.tryAcquire() ? places : isSmall && placesOfSmall.tryAcquire() ? placesOfSmall : null;
        if (taken == null) {
            return desk.find(commandId);
        }
        try {
            return desk.await(commandId, wait);
        } finally {
            taken.release();
        }
    }

    /** Refuses another command under an id that is already used: its answer would be that of the first command. */
    private static void requireSameCommand(CommandRequest request, Optional<CommandResult> found) {
        found.filter(known -> !known.isTurnedAway())
                .filter(known ->
                        !known.fingerprint().isEmpty() && !known.fingerprint().equals(request.fingerprint()))
                .ifPresent(known -> {
                    throw taken(request, known);
                });
    }

    /**
     * Refuses a command of another kind under an id that is already used. The commands themselves may differ: the one
     * that was sent carries the version of the policies that its preparation led to.
     */
    private static void requireSameKind(CommandRequest request, CommandResult known) {
        if (known.dryRun() || !known.verb().equals(request.command().verb())) {
            throw taken(request, known);
        }
    }

    private static ProblemException taken(CommandRequest request, CommandResult known) {
        String what = (known.dryRun() ? "a dry run of another " : "another ") + known.verb();
        return new ProblemException(
                ProblemKind.CONFLICT, "the id '" + request.commandId() + "' belongs to " + what + "; use another one");
    }

    private static void answer(
            Context ctx, String commandId, Optional<CommandResult> found, @Nullable PreparedView prepared) {
        CommandResult result = found.orElse(null);
        Refusal refusal = result == null ? null : result.refusal();
        if (result != null && refusal != null) {
            refuse(ctx, RefusalView.of(refusal, result, prepared));
            return;
        }
        if (result == null || !result.isFinal()) {
            ctx.status(202).header("Location", "/v1/commands/" + PathSegment.of(commandId));
        }
        ApiJson.answer(
                ctx, result == null ? new Unknown(commandId, prepared) : new CommandResultView(result, prepared));
    }

    private static void refuse(Context ctx, RefusalView view) {
        if (view.refusal() == Refusal.NOT_READY || view.refusal() == Refusal.BUSY) {
            ctx.header("Retry-After", "1");
        }
        ctx.status(view.status()).contentType(ProblemView.MEDIA_TYPE).result(ApiJson.bytes(view));
    }

    /**
     * A command whose result is not known yet.
     *
     * @param prepared the preparation in the same act; left out if there was none
     */
    private record Unknown(
            String commandId,
            String state,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            PreparedView prepared) {

        Unknown(String commandId, @Nullable PreparedView prepared) {
            this(commandId, CommandResult.State.RUNNING.name(), prepared);
        }
    }
}
