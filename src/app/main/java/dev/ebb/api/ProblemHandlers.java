package dev.ebb.api;

import dev.ebb.api.door.CallerLimits;
import dev.ebb.api.door.Guard;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.Audience;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ProblemKind;
import dev.ebb.domain.BadCursorException;
import dev.ebb.port.EventWriter;
import dev.ebb.port.MirrorCheck;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.port.TooManyCommandsException;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.history.RejectedQueries;
import dev.ebb.wire.ProblemView;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers every exception of a route with a problem; no stack trace leaves the process. */
final class ProblemHandlers {

    private static final Logger LOG = LoggerFactory.getLogger(ProblemHandlers.class);

    private ProblemHandlers() {}

    static void register(RoutesConfig routes) {
        routes.exception(ProblemException.class, ProblemHandlers::problem);
        routes.exception(CallerLimits.TooManyException.class, ProblemHandlers::tooMany);
        routes.exception(TooManyCommandsException.class, ProblemHandlers::tooManyCommands);
        routes.exception(Audience.GoneException.class, ProblemHandlers::gone);
        routes.exception(NotReadyException.class, ProblemHandlers::notReady);
        routes.exception(OtherInstanceException.class, (e, ctx) -> answer(ctx, ProblemKind.OTHER_INSTANCE, e));
        routes.exception(UnavailableException.class, ProblemHandlers::unavailable);
        routes.exception(EventWriter.TooBigException.class, (e, ctx) -> answer(ctx, ProblemKind.TOO_LARGE, e));
        routes.exception(PolicyAdmin.TooBigException.class, (e, ctx) -> answer(ctx, ProblemKind.TOO_LARGE, e));
        routes.exception(MirrorCheck.NoMirrorException.class, (e, ctx) -> answer(ctx, ProblemKind.REFUSED, e));
        routes.exception(BadCursorException.class, (e, ctx) -> answer(ctx, ProblemKind.BAD_REQUEST, e));
        routes.exception(RejectedQueries.NotReplayableException.class, (e, ctx) -> answer(ctx, ProblemKind.REFUSED, e));
        routes.exception(HttpResponseException.class, ProblemHandlers::ofJavalin);
        routes.exception(Exception.class, ProblemHandlers::unexpected);
    }

    private static void problem(ProblemException e, Context ctx) {
        if (e.view().status() == ProblemKind.TOO_MANY_REQUESTS.status()
                && !ctx.res().containsHeader("Retry-After")) {
            ctx.header("Retry-After", "1");
        }
        if (e.view().status() == ProblemKind.UNAUTHORIZED.status()) {
            Guard.challenge(ctx);
        }
        answer(ctx, e.view());
    }

    private static void tooMany(CallerLimits.TooManyException e, Context ctx) {
        ctx.header("Retry-After", "1");
        answer(ctx, ProblemKind.TOO_MANY_REQUESTS, e);
    }

    private static void tooManyCommands(TooManyCommandsException e, Context ctx) {
        ctx.header("Retry-After", "1");
        answer(ctx, ProblemKind.TOO_MANY_REQUESTS, e);
    }

    /** Ends a request whose caller has gone and would not read an answer. */
    private static void gone(Audience.GoneException e, Context ctx) {
        LOG.atDebug().addKeyValue("path", ctx.path()).log("a request was ended: {}", e.getMessage());
        answer(ctx, ProblemKind.NOT_READY, e);
    }

    private static void notReady(NotReadyException e, Context ctx) {
        long seconds = Math.max(1, (e.retryAfter().toMillis() + 999) / 1000);
        ctx.header("Retry-After", Long.toString(seconds));
        answer(ctx, ProblemKind.problem(e));
    }

    private static void unavailable(UnavailableException e, Context ctx) {
        LOG.atWarn().setCause(e).log("a system that a request needs did not do its part");
        answer(ctx, ProblemKind.UNAVAILABLE, e);
    }

    private static void unexpected(Exception e, Context ctx) {
        LOG.atError()
                .setCause(e)
                .addKeyValue("method", ctx.method())
                .addKeyValue("path", ctx.path())
                .log("a request failed");
        answer(ctx, ProblemKind.INTERNAL.problem("the request failed; see the log"));
    }

    private static void ofJavalin(HttpResponseException e, Context ctx) {
        switch (e.getStatus()) {
            case 404 -> answer(ctx, noRoute(ctx));
            case 405 -> answer(ctx, wrongMethod((MethodNotAllowedResponse) e, ctx));
            default -> answer(ctx, ProblemView.ofStatus(e.getStatus(), String.valueOf(e.getMessage())));
        }
    }

    private static ProblemView noRoute(Context ctx) {
        String detail = "there is nothing at " + ctx.path() + "; write a '/' inside a name as %2F";
        return ProblemKind.NOT_FOUND.problem(detail);
    }

    private static ProblemView wrongMethod(MethodNotAllowedResponse e, Context ctx) {
        Map<String, String> details = e.getDetails();
        String allowed = String.valueOf(details.getOrDefault("availableMethods", "another method"));
        ctx.header("Allow", allowed);
        return ProblemKind.METHOD_NOT_ALLOWED.problem(ctx.method() + " is not possible here, only " + allowed);
    }

    private static void answer(Context ctx, ProblemKind kind, Exception e) {
        answer(ctx, kind.problem(String.valueOf(e.getMessage())));
    }

    private static void answer(Context ctx, ProblemView view) {
        ctx.status(view.status()).contentType(ProblemView.MEDIA_TYPE).result(ApiJson.bytes(view));
    }
}
