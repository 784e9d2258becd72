package dev.ebb.api;

import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import java.time.Clock;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http.UriCompliance.Violation;
import org.eclipse.jetty.server.HttpConfiguration;

/** The HTTP server with all its routes. Start it once; {@link #close} lets running requests end. */
public final class ApiServer implements AutoCloseable {

    /**
     * A stream name may contain a '/', a '%' or be '..', each percent-encoded. Jetty refuses such paths because servlets
     * that look at decoded paths may be fooled; all routes here match the path as it was sent.
     */
    private static final UriCompliance NAMES_IN_PATHS = UriCompliance.RFC3986.with(
            "names in paths",
            Violation.AMBIGUOUS_PATH_SEPARATOR,
            Violation.AMBIGUOUS_PATH_ENCODING,
            Violation.AMBIGUOUS_PATH_SEGMENT,
            Violation.AMBIGUOUS_PATH_PARAMETER,
            Violation.AMBIGUOUS_EMPTY_SEGMENT,
            Violation.SUSPICIOUS_PATH_CHARACTERS);

    private final ApiSettings settings;
    private final StreamResource streams;
    private final EventResource events;
    private final PolicyResource policies;
    private final CommandResource commands;
    private final PolicyFileResource policyFiles;
    private final HoldResource holds;
    private final StatusResource status;
    private final Javalin server;

    /** Uses the clock of the system for times that requests do not name. */
    public ApiServer(ApiPorts ports, ApiSettings settings) {
        RequestBody body = new RequestBody(settings.maxBodyBytes());
        this.settings = settings;
        this.streams = new StreamResource(ports.events(), ports.policies());
        this.events = new EventResource(ports, body, Clock.systemUTC());
        this.commands = new CommandResource(ports.commands(), body);
        PolicyChanges changes = new PolicyChanges(ports.policies(), settings.policyWait());
        this.policies = new PolicyResource(ports.policies(), body, changes);
        this.policyFiles = new PolicyFileResource(ports.policies(), body, changes);
        this.holds = new HoldResource(ports.policies(), body, changes);
        this.status = new StatusResource(ports);
        this.server = Javalin.create(this::configure);
    }

    /** Returns when requests are answered. */
    public void start() {
        server.start(settings.host(), settings.port());
    }

    /** The port on which it listens, once it is started. */
    public int port() {
        return server.port();
    }

    @Override
    public void close() {
        server.stop();
    }

    private void configure(JavalinConfig config) {
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.prefer405over404 = true;
        config.jetty.modifyHttpConfiguration(ApiServer::configure);
        config.jetty.modifyServletContextHandler(
                handler -> handler.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyServer(server -> server.setErrorHandler(new JettyProblems()));
        addRoutes(config.routes);
        ProblemHandlers.register(config.routes);
    }

    private static void configure(HttpConfiguration http) {
        http.setUriCompliance(NAMES_IN_PATHS);
        http.setSendServerVersion(false);
    }

    private void addRoutes(RoutesConfig routes) {
        routes.get("/v1/streams", streams::list)
                .get("/v1/streams/{stream}", streams::get)
                .get("/v1/streams/{stream}/policy", streams::policy)
                .get("/v1/streams/{stream}/events", events::list)
                .post("/v1/streams/{stream}/events", events::post)
                .get("/v1/streams/{stream}/events/{id}", events::get)
                .patch("/v1/streams/{stream}/events/{id}", events::patch)
                .get("/v1/policies", policies::list)
                .post("/v1/policies:apply", policyFiles::apply)
                .post("/v1/policies/diff", policyFiles::diff)
                .get("/v1/policies/export", policyFiles::export)
                .get("/v1/policies/{scope}", policies::get)
                .put("/v1/policies/{scope}", policies::put)
                .delete("/v1/policies/{scope}", policies::delete)
                .delete("/v1/streams/{stream}", commands::deleteStream)
                .post("/v1/streams/{stream}/prune", commands::prune)
                .post("/v1/purge", commands::purge)
                .post("/v1/prune", commands::pruneBulk)
                .put("/v1/streams/{stream}/events/{id}/ttl", commands::setTtl)
                .delete("/v1/streams/{stream}/events/{id}", commands::deleteEvent)
                .post("/v1/sweeps", commands::sweep)
                .get("/v1/commands/{commandId}", commands::get)
                .get("/v1/holds", holds::list)
                .get("/v1/holds/{case}", holds::get)
                .put("/v1/holds/{case}", holds::put)
                .delete("/v1/holds/{case}", holds::delete)
                .get("/v1/status", status::status)
                .get("/health/live", status::live)
                .get("/health/ready", status::ready)
                .get("/health/started", status::started)
                .get("/metrics", status::metrics);
    }
}
