package dev.ebb.api.verify;

import dev.ebb.api.access.Role;
import dev.ebb.api.commands.CommandConfirmation;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.PathNames;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.peers.Forwarding;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.api.verify.AllPartitions.Differing;
import dev.ebb.api.verify.AllPartitions.Looked;
import dev.ebb.api.verify.AllPartitions.Stored;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.MirrorCheck.DifferencePage;
import dev.ebb.port.MirrorCheck.DigestPage;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.Placement;
import dev.ebb.wire.PathSegment;
import dev.ebb.wire.instance.VerificationView;
import io.javalin.http.Context;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Compares stores and SQL (A-15). A comparison runs in the instance that was asked, and any instance can report its
 * progress. Close the resource to end running comparisons.
 */
public final class VerifyResource implements ApiResource, AutoCloseable {

    private static final Duration WAIT = Duration.ofMinutes(1);
    private static final String ACTOR = "api";
    private static final String REPAIR = "Starts a comparison of stores and SQL, and sends rows that differ again.";

    private final MirrorCheck check;
    private final CommandConfirmation commands;
    private final Forwarding forwarding;
    private final Placement placement;
    private final RequestBody body;
    private final VerifyJobs jobs = new VerifyJobs();

    public VerifyResource(
            ApiPorts ports,
            CommandConfirmation commands,
            Forwarding forwarding,
            Placement placement,
            RequestBody body) {
        this.check = ports.insight().mirror();
        this.commands = commands;
        this.forwarding = forwarding;
        this.placement = placement;
        this.body = body;
    }

    @Override
    public List<ApiRoute> routes() {
        String repair = AllPartitions.ROUTE + "/repair";
        String one = AllPartitions.ROUTE + "/{id}";
        return List.of(
                started(ApiRoute.post(
                        Role.VIEWER, AllPartitions.ROUTE, this::verify, "Starts a comparison of stores and SQL.")),
                started(ApiRoute.post(Role.OPERATOR, repair, this::repair, REPAIR))
                        .authored("repair"),
                ApiRoute.get(one, this::get, "Shows the progress of a comparison, or its result.")
                        .answers(VerificationView.class),
                part("/stored", Stored.class, this::stored, "counts and hashes of the rows of a partition.")
                        .answers(DigestPage.class),
                part(
                                "/differences",
                                Differing.class,
                                this::differing,
                                "rows of a group of streams that differ at the moment.")
                        .answers(DifferencePage.class),
                part("/look", Looked.class, this::looked, "which of the given rows of a stream differ at the moment.")
                        .answers(DifferencePage.class));
    }

    private static ApiRoute started(ApiRoute route) {
        return route.query("wait", "Longest wait for the sinks, and for each partition. Default: 1m.")
                .answers(202, VerificationView.class);
    }

    /** Returns a route that answers other instances for the partitions of this one. */
    private <Q> ApiRoute part(String path, Class<Q> question, Function<Q, Object> answer, String summary) {
        return ApiRoute.post(
                        Role.VIEWER,
                        AllPartitions.ROUTE + path,
                        (ctx, params) -> ApiJson.answer(ctx, answer.apply(question(ctx, params, question))),
                        "For other instances only: " + summary)
                .takes(question);
    }

    private <Q> Q question(Context ctx, QueryParams params, Class<Q> type) {
        params.done();
        if (!PeerAccess.isForwarded(ctx)) {
            throw ProblemException.badRequest("only instances of this application ask each other this");
        }
        @Nullable Q question = ApiJson.read(body.jsonText(ctx).getBytes(StandardCharsets.UTF_8), type);
        if (question == null) {
            throw ProblemException.badRequest("this version does not understand the question");
        }
        return question;
    }

    private Object stored(Stored asked) {
        return check.stored(asked.partition(), asked.table(), asked.after());
    }

    private Object differing(Differing asked) {
        return check.differences(asked.group(), asked.after());
    }

    private Object looked(Looked asked) {
        return new DifferencePage(check.look(asked.stream(), asked.rows(), asked.executions()), null);
    }

    private void verify(Context ctx, QueryParams params) {
        start(ctx, params, null);
    }

    private void repair(Context ctx, QueryParams params) {
        String actor = Guard.actor(ctx, params.text("actor", ACTOR));
        start(
                ctx,
                params,
                new RepairCommands(commands.deskFor(ctx), actor, params.text("reason", ""), VerifyJob::sleep));
    }

    private void start(Context ctx, QueryParams params, @Nullable Repairs repairs) {
        Duration patience = Duration.ofMillis(Objects.requireNonNullElse(params.duration("wait"), WAIT.toMillis()));
        params.done();
        // Throws at once where there is no mirror.
        check.mark();
        String id = UUID.randomUUID() + "@" + placement.self();
        var sides = new AllPartitions(check, forwarding, PeerQuestion.of(ctx), VerifyJob::sleep, patience);
        VerifyJob job = new VerifyJob(id, sides, placement.partitions(), patience, repairs);
        jobs.start(job);
        ctx.status(202).header("Location", AllPartitions.ROUTE + "/" + PathSegment.of(id));
        ApiJson.answer(ctx, job.view());
    }

    /**
     * Answers with the progress of a comparison. The id names the instance that compares; an instance that is not known
     * here is not asked.
     */
    private void get(Context ctx, QueryParams params) {
        params.done();
        String id = PathNames.text(ctx, "id");
        String address = id.substring(id.indexOf('@') + 1);
        if (!address.equals(placement.self()) && placement.instances().contains(address)) {
            throw new OtherInstanceException("the comparison '" + id + "'", address);
        }
        VerifyJob job = jobs.find(id)
                .orElseThrow(() -> ProblemException.notFound("there is no comparison '" + id
                        + "'; its instance has restarted, or has dropped it for later ones"));
        ApiJson.answer(ctx, job.view());
    }

    @Override
    public void close() {
        jobs.close();
    }

    /** Comparisons of this instance: the running ones, and the last few that have ended. Thread-safe. */
    private static final class VerifyJobs implements AutoCloseable {

        private static final int MOST_AT_ONCE = 2;
        private static final int MOST_KEPT = 4;

        private final Deque<VerifyJob> jobs = new ArrayDeque<>();
        private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work, "ebb-verify");
            thread.setDaemon(true);
            return thread;
        });

        /** Starts a comparison; refuses it while too many others run. */
        synchronized void start(VerifyJob job) {
            if (jobs.stream().filter(VerifyJob::isRunning).count() >= MOST_AT_ONCE) {
                throw new ProblemException(
                        ProblemKind.CONFLICT,
                        MOST_AT_ONCE + " comparisons are already running here; try again when one of them ends");
            }
            if (jobs.size() == MOST_KEPT) {
                jobs.stream().filter(kept -> !kept.isRunning()).findFirst().ifPresent(jobs::remove);
            }
            jobs.add(job);
            threads.execute(job);
        }

        /** Returns the comparison; empty if there is none, or if it has made room for later ones. */
        synchronized Optional<VerifyJob> find(String id) {
            return jobs.stream().filter(job -> job.id().equals(id)).findFirst();
        }

        /** Ends the running comparisons. */
        @Override
        public void close() {
            threads.shutdownNow();
        }
    }
}
