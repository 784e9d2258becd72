package dev.ebb.api.forecast;

import dev.ebb.api.access.Role;
import dev.ebb.api.forecast.TimeSteps.Direction;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.api.policies.ResultingPolicies;
import dev.ebb.domain.policy.PolicyEdit;
import dev.ebb.domain.policy.PolicyKey;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.time.DateBound;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.forecast.ForecastQueries;
import dev.ebb.port.forecast.ForecastQueries.Question;
import dev.ebb.wire.ProblemView.Fault;
import dev.ebb.wire.forecast.ForecastStreamsView;
import dev.ebb.wire.forecast.ForecastView;
import io.javalin.http.Context;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Due times of the stored events, over all instances (C-3), also under policies that are not in force (C-4). */
public final class ForecastResource implements ApiResource {

    /** Longest wait for another instance, whose first look at all streams may take five seconds. */
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    /** Most namespaces that an instance reports to another one by one. */
    private static final int MOST_OF_PEER = 2000;

    private static final int NAMESPACES = 20;
    private static final int MOST_NAMESPACES = 200;

    private final ForecastQueries forecasts;
    private final PolicyAdmin policies;
    private final Gathering gathering;
    private final RequestBody body;
    private final Clock clock;

    public ForecastResource(ApiPorts ports, Gathering gathering, RequestBody body, Clock clock) {
        this.forecasts = ports.insight().forecasts();
        this.policies = ports.policies();
        this.gathering = gathering;
        this.body = body;
        this.clock = clock;
    }

    @Override
    public List<ApiRoute> routes() {
        String forecast = "/v1/forecast";
        return List.of(
                describe(ApiRoute.get(
                                forecast,
                                this::inForce,
                                "Shows when stored events fall due, by namespace and in buckets of time."))
                        .query("released", "Forecast as if this hold were released: the case of a hold in force.")
                        .answers(ForecastView.class),
                describe(ApiRoute.post(
                                Role.VIEWER,
                                forecast,
                                this::planned,
                                "Shows when stored events would fall due if a file of policies and holds were"
                                        + " applied; changes nothing."))
                        .flag("prune", "Forecast as if the policies that are not in the file were removed.")
                        .takes("application/yaml", "PolicyFile")
                        .answers(ForecastView.class),
                ApiRoute.get(
                                "/v1/forecast/streams",
                                this::streams,
                                "Lists the streams with events that fall due in a period, the most such events"
                                        + " first.")
                        .query("namespace", "Only streams of this namespace. Default: all.")
                        .required("from", "Start of the period.")
                        .required("to", "End of the period, not included; a date means its end.")
                        .paged()
                        .answers(ForecastStreamsView.class));
    }

    private static ApiRoute describe(ApiRoute route) {
        return TimeSteps.onRoute(route.query("namespace", "Only this namespace. Default: all."), Direction.AHEAD)
                .with(new ApiRoute.Query(
                        "limit",
                        "integer",
                        "The most namespaces that are listed separately, 1 to " + MOST_NAMESPACES + ". Default: "
                                + NAMESPACES + ". The others are added up."));
    }

    private void inForce(Context ctx, QueryParams params) {
        String released = params.text("released");
        answer(ctx, params, released == null ? null : without(released));
    }

    /** Returns the policies in force without that hold. */
    private PolicySet without(String caseId) {
        PolicySet current = policies.current();
        if (!current.holds().containsKey(caseId)) {
            throw ProblemException.notFound("there is no hold '" + caseId + "'");
        }
        return current.with(List.of(new PolicyEdit(PolicyKey.ofHold(caseId), null, null)));
    }

    private void planned(Context ctx, QueryParams params) {
        boolean prune = params.flag("prune");
        answer(ctx, params, ResultingPolicies.of(body.yamlText(ctx), prune, policies.current()));
    }

    private void answer(Context ctx, QueryParams params, @Nullable PolicySet planned) {
        String namespace = params.text("namespace");
        int most = params.number("limit", 1, MOST_NAMESPACES, NAMESPACES);
        TimeSteps steps = TimeSteps.of(params, Direction.AHEAD, clock.millis());
        Question question = new Question(namespace, steps.bounds(), planned);
        PeerQuestion.allow(ctx, PATIENCE);
        PeerQuestion.settle(ctx, Map.of("from", time(steps.fromMs()), "to", time(steps.toMs())));
        Gathered<ForecastView> gathered = gathering.gather(ctx, ForecastView.class, share -> new ForecastSum(steps)
                .add(forecasts.forecast(question, share.partitions(), MOST_OF_PEER))
                .view(MOST_OF_PEER, List.of()));
        ForecastSum sum = new ForecastSum(steps);
        gathered.answers().forEach(sum::add);
        ApiJson.answer(ctx, sum.view(PeerAccess.isForwarded(ctx) ? MOST_OF_PEER : most, gathered.unanswered()));
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }

    private void streams(Context ctx, QueryParams params) {
        params.require("from", "such as 2026-01-31T09:00:00Z");
        params.require("to", "such as 2026-02-01T09:00:00Z");
        String namespace = params.text("namespace");
        Long from = params.moment("from", DateBound.BEGINNING);
        Long to = params.moment("to", DateBound.AFTER);
        String after = params.text("after");
        int limit = params.limit();
        params.done();
        if (from == null || to == null || from >= to) {
            throw new ProblemException(
                    ProblemKind.BAD_REQUEST,
                    "the query parameters are wrong",
                    List.of(new Fault("to", "must be after 'from'")));
        }
        ForecastQueries.Place place = after == null ? null : StreamsSum.place(after);
        Question question = new Question(namespace, List.of(from, to), null);
        PeerQuestion.allow(ctx, PATIENCE);
        Gathered<ForecastStreamsView> gathered = gathering.gather(
                ctx,
                ForecastStreamsView.class,
                share -> StreamsSum.of(question, forecasts.streams(question, share.partitions(), place, limit + 1)));
        ApiJson.answer(
                ctx,
                PeerAccess.isForwarded(ctx)
                        ? gathered.answers().get(0)
                        : StreamsSum.merged(gathered.answers(), limit, gathered.unanswered()));
    }
}
