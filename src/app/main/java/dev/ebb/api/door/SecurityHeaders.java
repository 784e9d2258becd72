package dev.ebb.api.door;

import io.javalin.http.Context;
import java.util.Map;

/** Headers that keep a browser from taking an answer for anything other than it is. No header allows other origins. */
public final class SecurityHeaders {

    public static final Map<String, String> ALL = Map.of(
            "X-Content-Type-Options", "nosniff",
            "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'",
            "Referrer-Policy", "no-referrer",
            "Cross-Origin-Resource-Policy", "same-origin",
            "Cache-Control", "no-store");

    private static final String STRICT_TRANSPORT = "max-age=31536000";

    private SecurityHeaders() {}

    public static void on(Context ctx) {
        ALL.forEach(ctx::header);
        if (ctx.scheme().equals("https")) {
            ctx.header("Strict-Transport-Security", STRICT_TRANSPORT);
        }
    }
}
