package dev.ebb.devstack.guard;

import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.QuarkusApplication;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Optional;

/**
 * The program of the registry, with the {@linkplain LoopbackRules rules} in front of all its answers. The registry is
 * built for a fixed set of beans and takes no filter from outside, so the handler of all requests is replaced by
 * reflection as soon as it exists. If it does not exist, the registry does not start.
 */
public final class GuardedRegistry implements QuarkusApplication {

    private static final String RECORDER = "io.quarkus.vertx.http.runtime.VertxHttpRecorder";

    public static void main(String... args) {
        Quarkus.run(GuardedRegistry.class, args);
    }

    @Override
    public int run(String... args) throws ReflectiveOperationException {
        Field root = Class.forName(RECORDER).getDeclaredField("rootHandler");
        root.setAccessible(true);
        @SuppressWarnings("unchecked")
        Handler<HttpServerRequest> unguarded = (Handler<HttpServerRequest>) root.get(null);
        Handler<HttpServerRequest> guarded = request -> handle(request, unguarded);
        root.set(null, guarded);
        Quarkus.waitForExit();
        return 0;
    }

    private static void handle(HttpServerRequest request, Handler<HttpServerRequest> next) {
        Optional<String> refusal = LoopbackRules.refusal(
                hosts(request),
                request.headers().getAll("Origin"),
                request.getHeader("Sec-Fetch-Site"),
                LoopbackRules.isRead(request.method().name()));
        if (refusal.isEmpty()) {
            next.handle(request);
        } else {
            // The body has not been read, so no further request can follow.
            request.response()
                    .setStatusCode(LoopbackRules.FORBIDDEN)
                    .putHeader("Connection", "close")
                    .putHeader("Content-Type", "text/plain;charset=UTF-8")
                    .end(refusal.get());
        }
    }

    /**
     * Returns the hosts of a request. Under HTTP/2, to which Java's client switches by itself, an authority takes the
     * place of the header.
     */
    private static List<String> hosts(HttpServerRequest request) {
        HostAndPort authority = request.authority();
        return request.version() == HttpVersion.HTTP_2 && authority != null
                ? List.of(authority.toString())
                : request.headers().getAll("Host");
    }
}
