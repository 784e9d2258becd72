package dev.ebb.api.instance;

import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.HealthSource;
import dev.ebb.port.HealthSource.Health;
import dev.ebb.port.MetricsSource;
import dev.ebb.port.Placement;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.wire.instance.InstancesView;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;

/** State of the instance: for people, for load balancers, for Prometheus. */
public final class StatusResource implements ApiResource {

    private static final int UNAVAILABLE = 503;
    private static final String STATUS = "/v1/status";

    private final StatusSource status;
    private final HealthSource health;
    private final MetricsSource metrics;
    private final Gathering gathering;
    private final Placement placement;

    public StatusResource(ApiPorts ports, Gathering gathering, Placement placement) {
        this.gathering = gathering;
        this.placement = placement;
        this.status = ports.status();
        this.health = ports.health();
        this.metrics = ports.metrics();
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(STATUS, this::status, "Shows the state of this instance.")
                        .answers(StatusView.class),
                ApiRoute.get(
                                "/v1/instances",
                                this::instances,
                                "Shows the state of all instances, and the partitions that each of them keeps.")
                        .answers(InstancesView.class),
                health("live", health::live, "Shows whether the process works."),
                health("ready", health::ready, "Shows whether the instance can answer requests."),
                health("started", health::started, "Shows whether the first start is complete."),
                ApiRoute.get("/metrics", this::metrics, "Shows all metrics in the format of Prometheus.")
                        .answers(200, new ApiRoute.Content("text/plain", null)));
    }

    private static ApiRoute health(String question, Supplier<Health> health, String summary) {
        return ApiRoute.probe("/health/" + question, (ctx, params) -> answer(ctx, health.get()), summary)
                .answers(HealthView.class)
                .answers(UNAVAILABLE, HealthView.class);
    }

    private void status(Context ctx, QueryParams params) {
        params.done();
        ApiJson.answer(ctx, status.status());
    }

    private void instances(Context ctx, QueryParams params) {
        params.done();
        Gathered<StatusView> gathered = gathering.all(ctx, STATUS, StatusView.class, status::status);
        ApiJson.answer(
                ctx,
                InstancesView.of(placement.self(), placement.partitions(), gathered.answers(), gathered.unanswered()));
    }

    /** Writes the metrics; the collector reads the parameters. */
    private void metrics(Context ctx, QueryParams params) throws IOException {
        String accept = ctx.header("Accept");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        metrics.write(accept, out);
        ctx.contentType(metrics.contentType(accept)).result(out.toByteArray());
    }

    private static void answer(Context ctx, Health health) {
        ctx.status(health.isUp() ? 200 : UNAVAILABLE);
        ApiJson.answer(
                ctx, new HealthView(health.isUp() ? "up" : "down", Guard.mayKnowReasons(ctx) ? health.reason() : ""));
    }

    /** An answer and its reason; where tokens are required, the reason is empty for callers without one. */
    record HealthView(String status, String reason) {}
}
