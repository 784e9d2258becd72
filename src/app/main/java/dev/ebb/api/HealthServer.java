package dev.ebb.api;

import dev.ebb.api.access.TokenCheck;
import dev.ebb.api.connection.ApiLimits;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.door.Guard;
import dev.ebb.api.door.SecurityHeaders;
import dev.ebb.api.http.ApiRoute;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;

/**
 * Answers probes on a port of its own, with connections and threads of its own: whatever load the API has, a watcher
 * learns the state of the instance, and does not restart it because other callers ask too much. Speaks plain HTTP, and
 * answers nothing but health.
 */
final class HealthServer implements AutoCloseable {

    private static final int THREADS = 12;
    private static final int FEWEST_THREADS = 2;

    private final InetSocketAddress address;
    private final ApiConnector connector;
    private final Guard guard;
    private final List<ApiRoute> routes;
    private final Javalin server;

    /**
     * @param address the address to listen on; port 0 takes a free one
     * @param tokens the callers that may see reasons, see {@link Guard}
     * @param routes the routes of health
     */
    HealthServer(InetSocketAddress address, @Nullable TokenCheck tokens, List<ApiRoute> routes) {
        ApiSecurity security = new ApiSecurity(tokens, null, Set.of(), ApiLimits.OF_PROBES);
        this.address = address;
        this.routes = routes;
        this.connector = new ApiConnector(ApiSettings.at(address.getHostString(), address.getPort()), security);
        this.guard = new Guard(security);
        this.server = Javalin.create(this::configure);
    }

    /**
     * Starts the server, and returns when it answers probes.
     *
     * @throws AddressInUseException if the address is already in use
     */
    void start() {
        try {
            server.start();
        } catch (JavalinBindException e) {
            throw new AddressInUseException(address.getHostString() + ":" + address.getPort(), "health.listen", e);
        }
    }

    /** Returns the port on which the server listens, once it is started. */
    int port() {
        return connector.port();
    }

    @Override
    public void close() {
        server.stop();
    }

    private void configure(JavalinConfig config) {
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, FEWEST_THREADS);
        threads.setName("health");
        config.jetty.threadPool = threads;
        ApiServer.configure(config, connector);
        config.routes.before(SecurityHeaders::on);
        routes.forEach(route -> config.routes.addEndpoint(
                new Endpoint(route.method(), route.path(), guard.guarded(route, route::answer))));
        ProblemHandlers.register(config.routes);
    }
}
