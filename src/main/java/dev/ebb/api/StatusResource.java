package dev.ebb.api;

import dev.ebb.api.HealthSource.Health;
import io.javalin.http.Context;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/** How the instance is: for people, for load balancers, for Prometheus. */
final class StatusResource {

    private static final int UNAVAILABLE = 503;

    private final StatusSource status;
    private final HealthSource health;
    private final MetricsSource metrics;

    StatusResource(ApiPorts ports) {
        this.status = ports.status();
        this.health = ports.health();
        this.metrics = ports.metrics();
    }

    void status(Context ctx) {
        QueryParams.refuseAll(ctx);
        ApiJson.answer(ctx, status.status());
    }

    void live(Context ctx) {
        answer(ctx, health.live());
    }

    void ready(Context ctx) {
        answer(ctx, health.ready());
    }

    void started(Context ctx) {
        answer(ctx, health.started());
    }

    void metrics(Context ctx) throws IOException {
        String accept = ctx.header("Accept");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        metrics.write(accept, out);
        ctx.contentType(metrics.contentType(accept)).result(out.toByteArray());
    }

    private static void answer(Context ctx, Health health) {
        ctx.status(health.isUp() ? 200 : UNAVAILABLE);
        ApiJson.answer(ctx, new HealthView(health.isUp() ? "up" : "down", health.reason()));
    }

    /** An answer and its reason, as it is shown. */
    record HealthView(String status, String reason) {}
}
