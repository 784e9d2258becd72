package dev.ebb.api.door;

import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import io.javalin.http.Context;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of other sites, shown by a browser on this machine, from calling the API: callers on loopback need no
 * token, and a browser sends whatever a page tells it to. Stateless.
 *
 * @param hosts the names by which callers may address the API, in lower case; empty if any name is allowed
 * @param origins origins of pages that may call the API besides its own, in lower case
 */
record BrowserRules(Set<String> hosts, Set<String> origins) {

    /** Ends the request if it comes from such a page. */
    void check(Context ctx) {
        String host = ctx.header("Host");
        // A foreign name that resolves to this address: DNS rebinding.
        if (!hosts.isEmpty() && !hosts.contains(nameOf(host))) {
            throw forbidden("the name of the API is not '" + host + "' here, but "
                    + String.join(", ", hosts.stream().sorted().toList())
                    + "; set api.advertised to the name at which clients reach it");
        }
        String origin = ctx.header("Origin");
        if (origin != null && !isOwn(origin, ctx.scheme() + "://" + host)) {
            throw forbidden("pages of " + origin
                    + " may not call the API; if a proxy serves the console there, add the address to api.public.urls");
        }
        boolean isFromElsewhere = "cross-site".equals(ctx.header("Sec-Fetch-Site"));
        if (isFromElsewhere && !isLink(ctx)) {
            throw forbidden("pages of other sites may not call the API");
        }
    }

    /**
     * Returns true for a page of the API itself. Behind a proxy the browser may know the page by another scheme or host
     * than this request names.
     */
    private boolean isOwn(String origin, String asked) {
        return origin.equalsIgnoreCase(asked) || origins.contains(origin.toLowerCase(Locale.ROOT));
    }

    /**
     * Returns true for a link that a person follows: its answer is shown to that person, and to no page. An image with
     * such an address is no link; it could occupy a place that a caller needs.
     */
    private static boolean isLink(Context ctx) {
        return ctx.method().name().equals("GET")
                && "navigate".equals(ctx.header("Sec-Fetch-Mode"))
                && "document".equals(ctx.header("Sec-Fetch-Dest"));
    }

    private static String nameOf(@Nullable String host) {
        if (host == null) {
            return "";
        }
        int port = host.lastIndexOf(':');
        String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        return name.toLowerCase(Locale.ROOT);
    }

    private static ProblemException forbidden(String detail) {
        return new ProblemException(ProblemKind.FORBIDDEN, detail);
    }
}
