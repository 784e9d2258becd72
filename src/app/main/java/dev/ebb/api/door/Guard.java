package dev.ebb.api.door;

import dev.ebb.api.access.Caller;
import dev.ebb.api.access.IssuerAwayException;
import dev.ebb.api.access.RefusedTokenException;
import dev.ebb.api.access.Role;
import dev.ebb.api.access.TokenCheck;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.connection.TimedEndPoint;
import dev.ebb.api.console.Console;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.Audience;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import java.util.Objects;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks the caller, its rights and its limits before every route. Thread-safe. */
public final class Guard {

    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    private static final String CALLER = "ebb.caller";
    private static final String REASONS = "ebb.reasons";
    private static final String PROBES = "/health/";
    private static final String BEARER = "bearer ";
    private static final String CHALLENGE = "Bearer realm=\"ebb\"";

    /** Most refused tokens of one address each second. */
    private static final int REFUSALS_PER_SECOND = 5;

    private final @Nullable TokenCheck tokens;
    private final BrowserRules browsers;
    private final CallerLimits limits;
    private final CallerLimits refusals;

    public Guard(ApiSecurity security) {
        ApiLimits allowed = security.limits();
        this.tokens = security.tokens();
        this.browsers = new BrowserRules(security.hosts(), security.origins());
        this.limits = new CallerLimits(
                allowed.concurrent(), allowed.concurrentOfOne(), allowed.ratePerSecond(), System::nanoTime);
        this.refusals = new CallerLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, REFUSALS_PER_SECOND, System::nanoTime);
    }

    /** Returns the caller of the request; {@link Caller#ANYONE} where no tokens are required. */
    public static Caller caller(Context ctx) {
        return Objects.requireNonNullElse(ctx.attribute(CALLER), Caller.ANYONE);
    }

    /**
     * Returns the actor for the audit: the name of the token, whatever the request claims; without tokens, the claimed
     * name.
     */
    public static String actor(Context ctx, String claimed) {
        return Objects.requireNonNullElse(caller(ctx).name(), claimed);
    }

    /** Returns true if the caller may see the content of payloads. */
    public static boolean maySeePayloads(Context ctx) {
        return caller(ctx).covers(Role.OPERATOR);
    }

    /** Returns true if the answer to a probe may name reasons. */
    public static boolean mayKnowReasons(Context ctx) {
        return Boolean.TRUE.equals(ctx.attribute(REASONS));
    }

    /** Ends the request if the caller lacks the needed role. The message says what is done: people know no routes. */
    private static void require(Context ctx, Role needed, ApiRoute route) {
        Caller caller = caller(ctx);
        if (!caller.covers(needed)) {
            String who = needed == Role.ADMIN ? "" : " or " + Role.ADMIN;
            throw new ProblemException(
                    ProblemKind.FORBIDDEN,
                    "a caller that " + route.deed() + " needs the role " + needed + who + "; the token of '"
                            + caller.name() + "' has the " + (caller.roles().size() == 1 ? "role " : "roles ")
                            + caller.roleNames());
        }
    }

    /** Runs before all routes and for unknown ones: only callers with access learn that a route does not exist. */
    public void admit(Context ctx) {
        SecurityHeaders.on(ctx);
        browsers.check(ctx);
        if (!ctx.path().startsWith(PROBES) && !Console.isAt(ctx.path())) {
            identify(ctx);
        }
    }

    /** Returns the handler behind the checks of its route. */
    public Handler guarded(ApiRoute route, Handler handler) {
        Reserve reserve = Reserve.of(route);
        return route.role()
                .<Handler>map(role -> ctx -> answer(ctx, route, role, reserve, handler))
                .orElse(ctx -> probe(ctx, handler));
    }

    /** Returns the handler of a page that any caller may see, within the limits of its address. */
    public Handler limited(Handler handler) {
        return ctx -> within("address " + ctx.ip(), Reserve.NONE, ctx, handler);
    }

    private void identify(Context ctx) {
        if (tokens == null || ctx.attribute(CALLER) != null) {
            return;
        }
        String secret = bearer(ctx.header("Authorization"));
        if (secret == null) {
            throw new ProblemException(
                    ProblemKind.UNAUTHORIZED,
                    "there is no token; send 'Authorization: Bearer TOKEN', or use --token-file on the command line");
        }
        try {
            ctx.attribute(CALLER, tokens.caller(secret));
        } catch (RefusedTokenException e) {
            refuse(ctx, e);
        } catch (IssuerAwayException e) {
            throw new ProblemException(ProblemKind.UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    private void refuse(Context ctx, RefusedTokenException e) {
        String address = ctx.ip();
        refusals.enter(address, Reserve.NONE);
        refusals.leave(address);
        LOG.atWarn().addKeyValue("address", address).log("refused a request: {}", e.getMessage());
        throw new ProblemException(ProblemKind.UNAUTHORIZED, String.valueOf(e.getMessage()));
    }

    /** Sets the header that an answer of status 401 must carry. */
    public static void challenge(Context ctx) {
        boolean isRefused = ctx.header("Authorization") != null;
        ctx.header("WWW-Authenticate", isRefused ? CHALLENGE + ", error=\"invalid_token\"" : CHALLENGE);
    }

    private void answer(Context ctx, ApiRoute route, Role role, Reserve reserve, Handler handler) throws Exception {
        identify(ctx);
        require(ctx, role, route);
        Caller caller = caller(ctx);
        within(caller.name() == null ? "address " + ctx.ip() : "token " + caller.name(), reserve, ctx, handler);
    }

    private void within(String key, Reserve reserve, Context ctx, Handler handler) throws Exception {
        limits.enter(key, reserve);
        Request.addCompletionListener(
                ServletContextRequest.getServletContextRequest(ctx.req()), failure -> limits.leave(key));
        TimedEndPoint connection = TimedEndPoint.of(ctx);
        connection.letIn();
        Audience.during(connection::isOpen, () -> handler.handle(ctx));
    }

    /** Answers a probe. Any caller may ask about health; only known callers learn reasons. */
    private void probe(Context ctx, Handler handler) throws Exception {
        ctx.attribute(REASONS, tokens == null || isKnown(ctx, tokens));
        handler.handle(ctx);
    }

    private static boolean isKnown(Context ctx, TokenCheck tokens) {
        String secret = bearer(ctx.header("Authorization"));
        try {
            return secret != null && tokens.caller(secret).covers(Role.VIEWER);
        } catch (RefusedTokenException | IssuerAwayException e) {
            return false;
        }
    }

    private static @Nullable String bearer(@Nullable String header) {
        return header == null || !header.regionMatches(true, 0, BEARER, 0, BEARER.length())
                ? null
                : header.substring(BEARER.length()).strip();
    }
}
