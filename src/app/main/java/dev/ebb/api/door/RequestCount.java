package dev.ebb.api.door;

import dev.ebb.port.RequestMeter;
import io.javalin.http.Context;
import io.javalin.http.Handler;

/**
 * Counts each request under the route that answered it. A request that reached no route, or was refused before one,
 * counts as {@code none}: text from a caller never becomes a label. Stateless but for the meter; thread-safe.
 */
public record RequestCount(RequestMeter meter) {

    private static final String BEGUN = "ebb.begun";
    private static final String ROUTE = "ebb.route";
    private static final String NO_ROUTE = "none";

    /** Runs before all other handlers. */
    public void begin(Context ctx) {
        ctx.attribute(BEGUN, System.nanoTime());
    }

    /** Returns the handler of a route of that name. */
    public Handler named(String route, Handler handler) {
        return ctx -> {
            ctx.attribute(ROUTE, route);
            meter.begun(ctx, route);
            try {
                handler.handle(ctx);
            } finally {
                meter.done(ctx);
            }
        };
    }

    /** Runs when the answer is complete, also after an error. */
    public void end(Context ctx) {
        Long begun = ctx.attribute(BEGUN);
        String route = ctx.attribute(ROUTE);
        if (begun != null) {
            meter.answered(route == null ? NO_ROUTE : route, ctx.statusCode(), System.nanoTime() - begun);
        }
    }
}
