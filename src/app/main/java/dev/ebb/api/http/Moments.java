package dev.ebb.api.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.ebb.serde.text.EventJson;
import dev.ebb.wire.WireJson;
import io.javalin.http.Context;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The moments that a request named, as Ebb has understood them. The answer repeats them in the field {@value
 * WireJson#MOMENTS}: a
 * date or a duration may mean another moment than its author thinks (O-22).
 */
public final class Moments {

    /** Attribute of a request: the moment in which it came, epoch milliseconds. */
    private static final String NOW = "ebb.now";

    private Moments() {}

    /** Notes the moment in which the request came, in epoch milliseconds: durations such as {@code 1h} end there. */
    public static void begin(Context ctx, long nowMs) {
        ctx.attribute(NOW, nowMs);
    }

    /** Returns the moment in which the request came, in epoch milliseconds. */
    public static long now(Context ctx) {
        Long nowMs = ctx.attribute(NOW);
        return nowMs == null ? System.currentTimeMillis() : nowMs;
    }

    /** Notes the moment of a parameter or field, in epoch milliseconds. */
    public static void note(Context ctx, String name, long ms) {
        Map<String, Long> known = of(ctx);
        Map<String, Long> moments = known == null ? new TreeMap<>() : known;
        moments.put(name, ms);
        ctx.attribute(WireJson.MOMENTS, moments);
    }

    /** Returns true if the request has named a moment. */
    static boolean isNamed(Context ctx) {
        return of(ctx) != null;
    }

    /** Adds the moments to an answer. */
    static void addTo(ObjectNode answer, Context ctx) {
        Map<String, Long> moments = of(ctx);
        if (moments != null && !answer.has(WireJson.MOMENTS)) {
            ObjectNode named = answer.putObject(WireJson.MOMENTS);
            moments.forEach((name, ms) -> named.put(name, EventJson.time(ms)));
        }
    }

    private static @Nullable Map<String, Long> of(Context ctx) {
        return ctx.attribute(WireJson.MOMENTS);
    }
}
