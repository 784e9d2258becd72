package dev.ebb.api;

import dev.ebb.api.commands.CommandConfirmation;
import dev.ebb.api.commands.CommandResource;
import dev.ebb.api.commands.RunningResource;
import dev.ebb.api.console.Console;
import dev.ebb.api.door.ApiSecurity;
import dev.ebb.api.door.ApiSettings;
import dev.ebb.api.door.Guard;
import dev.ebb.api.door.RequestCount;
import dev.ebb.api.door.SecondPerson;
import dev.ebb.api.events.EventResource;
import dev.ebb.api.events.EventSearchResource;
import dev.ebb.api.events.ExecutionResource;
import dev.ebb.api.events.ExpiringResource;
import dev.ebb.api.events.ExplainResource;
import dev.ebb.api.events.NamespaceResource;
import dev.ebb.api.events.StreamResource;
import dev.ebb.api.forecast.ForecastResource;
import dev.ebb.api.forecast.HistoryResource;
import dev.ebb.api.forecast.UpdatesResource;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.Moments;
import dev.ebb.api.http.RequestBody;
import dev.ebb.api.insight.AuditResource;
import dev.ebb.api.insight.RejectedResource;
import dev.ebb.api.insight.ReportResource;
import dev.ebb.api.insight.SweepResource;
import dev.ebb.api.instance.DrainResource;
import dev.ebb.api.instance.MeResource;
import dev.ebb.api.instance.StatusResource;
import dev.ebb.api.names.KnownNames;
import dev.ebb.api.names.UnmatchedNames;
import dev.ebb.api.oidc.ConsoleLogin;
import dev.ebb.api.peers.Forwarding;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerClient;
import dev.ebb.api.peers.PeerPorts;
import dev.ebb.api.peers.Reads;
import dev.ebb.api.policies.BrakeResource;
import dev.ebb.api.policies.PolicyChanges;
import dev.ebb.api.policies.PolicyFileResource;
import dev.ebb.api.policies.PolicyResource;
import dev.ebb.api.verify.VerifyResource;
import dev.ebb.archive.ArchiveResource;
import dev.ebb.erase.ErasureResource;
import dev.ebb.hold.HoldResource;
import dev.ebb.instance.InstanceResource;
import dev.ebb.parking.ParkedResource;
import dev.ebb.plan.PolicyPlanResource;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.PolicyAdmin;
import dev.ebb.receipt.ReceiptResource;
import dev.ebb.source.SourceResource;
import dev.ebb.undo.TrashResource;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Handler;
import io.javalin.http.HandlerType;
import io.javalin.router.Endpoint;
import io.javalin.util.JavalinBindException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** The HTTP server with all its routes. Start it once; {@link #close} lets running requests end. */
public final class ApiServer implements AutoCloseable {

    /** Name of the page and its files in the metrics of routes. */
    private static final String CONSOLE = "console";

    private final String address;
    private final Clock clock;
    private final Guard guard;
    private final RequestCount count;
    private final Forwarding forwarding;
    private final KnownNames names;
    private final UnmatchedNames unmatched;
    private final CommandConfirmation confirmation;
    private final VerifyResource verifications;
    private final UpdatesResource updates;
    private final ApiConnector connector;
    private final List<ApiRoute> routes;
    private final Javalin server;
    private final @Nullable ConsoleLogin login;
    private final @Nullable HealthServer health;

    /** Makes a server that uses the clock of the ports for times that requests do not name. */
    public ApiServer(ApiPorts ports, ApiSettings settings, ApiSecurity security, PeerPorts peers) {
        this.address = settings.host() + ":" + settings.port();
        PeerAccess access = new PeerAccess(peers.settings().secret());
        PeerClient client = new PeerClient(peers.settings(), access);
        Gathering gathering = new Gathering(client, peers.placement());
        RequestBody body = new RequestBody(settings.maxBodyBytes());
        this.forwarding = new Forwarding(client, access, peers.placement(), patient(security));
        this.names = new KnownNames(ports, peers.placement(), gathering, settings.policyWait());
        this.unmatched = new UnmatchedNames(names, ports.policies());
        this.confirmation = new CommandConfirmation(ports.commands(), forwarding, peers.placement(), body);
        this.verifications = new VerifyResource(ports, confirmation, forwarding, peers.placement(), body);
        this.updates = new UpdatesResource(ports, ports.clock());
        this.clock = ports.clock();
        this.guard = new Guard(security);
        this.count = new RequestCount(ports.requests());
        this.connector = new ApiConnector(settings, security);
        this.routes = routes(resources(ports, settings, security.second(), peers, gathering, body), security.second());
        this.login = security.login();
        this.server = Javalin.create(this::configure);
        this.health =
                settings.health() == null ? null : new HealthServer(settings.health(), security.tokens(), probes());
    }

    private List<ApiResource> resources(
            ApiPorts ports,
            ApiSettings settings,
            SecondPerson second,
            PeerPorts peers,
            Gathering gathering,
            RequestBody body) {
        Reads reads = new Reads(ports.events(), peers);
        List<ApiResource> resources = new ArrayList<>(ofStreams(ports, reads, gathering, body));
        resources.addAll(ofPolicies(ports, gathering, body, settings.policyWait(), second));
        resources.add(new CommandResource(ports, confirmation, body, settings.policyWait(), second));
        resources.add(new RunningResource(ports.running(), gathering));
        resources.addAll(List.of(new StatusResource(ports, gathering, peers.placement()), new DrainResource(peers)));
        resources.add(new InstanceResource(gathering, forwarding.client(), peers, ports.status(), ports.clock()));
        resources.addAll(ofRecords(ports));
        resources.add(new TrashResource(ports.insight().trash(), gathering));
        resources.addAll(ofNamespaces(ports, reads, gathering));
        resources.addAll(ofForecasts(ports, gathering, body));
        resources.add(updates);
        resources.add(verifications);
        return resources;
    }

    /** Reads that wait for a move have threads; most of the allowed ones must be left for all other requests. */
    private static Semaphore patient(ApiSecurity security) {
        return new Semaphore(Math.max(1, security.limits().concurrent() / 4));
    }

    private static List<ApiResource> ofStreams(ApiPorts ports, Reads reads, Gathering gathering, RequestBody body) {
        return List.of(
                new StreamResource(reads, ports.policies(), gathering),
                new ExecutionResource(reads),
                new EventResource(ports, reads, body, ports.clock()));
    }

    private List<ApiResource> ofPolicies(
            ApiPorts ports, Gathering gathering, RequestBody body, Duration wait, SecondPerson second) {
        PolicyAdmin policies = ports.policies();
        PolicyChanges changes = new PolicyChanges(policies, wait, second);
        return List.of(
                // Before the policies of scopes: the first matching route answers.
                new PolicyFileResource(ports, confirmation, body, changes, names, ports.clock()),
                new PolicyPlanResource(ports, confirmation, gathering, body),
                new BrakeResource(policies, wait, second),
                new PolicyResource(policies, body, changes, names),
                new HoldResource(policies, body, changes, names),
                new SourceResource(policies, changes, ports.sources(), gathering));
    }

    private static List<ApiResource> ofRecords(ApiPorts ports) {
        InsightPorts insight = ports.insight();
        return List.of(
                new AuditResource(insight.audit()),
                new ErasureResource(insight.audit(), ports.clock()),
                new ReceiptResource(insight.receipts()),
                new SweepResource(insight.sweeps()),
                new RejectedResource(insight.rejected()),
                new ArchiveResource(insight.archive()));
    }

    private static List<ApiResource> ofNamespaces(ApiPorts ports, Reads reads, Gathering gathering) {
        return List.of(
                new ParkedResource(ports, gathering),
                new NamespaceResource(ports, gathering),
                new EventSearchResource(reads),
                new ExpiringResource(reads, gathering),
                new ExplainResource(ports, ports.clock()),
                new ReportResource(ports, gathering, ports.clock()));
    }

    private static List<ApiResource> ofForecasts(ApiPorts ports, Gathering gathering, RequestBody body) {
        return List.of(
                new ForecastResource(ports, gathering, body, ports.clock()),
                new HistoryResource(ports.insight().deletions(), ports.clock()));
    }

    /**
     * Starts the server, and returns when it answers requests.
     *
     * @throws AddressInUseException if the address of the API or of its probes is already in use
     */
    public void start() {
        try {
            server.start();
        } catch (JavalinBindException e) {
            throw new AddressInUseException(address, "api.listen", e);
        }
        if (health != null) {
            health.start();
        }
        Console.warm();
    }

    /** Returns the port on which the server listens, once it is started. */
    public int port() {
        return connector.port();
    }

    /** Returns the port on which the server also answers probes, once it is started. */
    public int healthPort() {
        return Objects.requireNonNull(health, "there is none").port();
    }

    /** Answers probes until all other requests have ended. */
    @Override
    public void close() {
        updates.close();
        server.stop();
        verifications.close();
        if (health != null) {
            health.close();
        }
    }

    private List<ApiRoute> probes() {
        return routes.stream().filter(route -> route.role().isEmpty()).toList();
    }

    private static List<ApiRoute> routes(List<ApiResource> resources, SecondPerson second) {
        List<ApiRoute> routes = new ArrayList<>();
        resources.forEach(resource -> routes.addAll(resource.routes()));
        routes.addAll(new MeResource(List.copyOf(routes), second).routes());
        routes.addAll(new OpenApi(List.copyOf(routes)).routes());
        return List.copyOf(routes);
    }

    private void configure(JavalinConfig config) {
        configure(config, connector);
        config.routes.before(count::begin);
        config.routes.before(ctx -> Moments.begin(ctx, clock.millis()));
        config.routes.before(guard::admit);
        routes.forEach(
                route -> config.routes.addEndpoint(new Endpoint(route.method(), route.path(), answering(route))));
        new Console()
                .handlers()
                .forEach((path, handler) -> config.routes.addEndpoint(
                        new Endpoint(HandlerType.GET, path, count.named(CONSOLE, guard.limited(handler)))));
        page(config, HandlerType.GET, login == null ? ConsoleLogin::none : login::offer);
        if (login != null) {
            page(config, HandlerType.POST, login::enter);
        }
        config.routes.after(count::end);
        ProblemHandlers.register(config.routes);
    }

    private void page(JavalinConfig config, HandlerType method, Handler handler) {
        config.routes.addEndpoint(
                new Endpoint(method, ConsoleLogin.PATH, count.named(CONSOLE, guard.limited(handler))));
    }

    private Handler answering(ApiRoute route) {
        String name = route.method() + " " + route.path();
        return count.named(
                name, guard.guarded(route, unmatched.around(route.path(), forwarding.around(route::answer))));
    }

    /** Sets up the common part of the servers of the API and of health. */
    static void configure(JavalinConfig config, ApiConnector connector) {
        config.startup.showJavalinBanner = false;
        config.startup.startupWatcherEnabled = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.http.prefer405over404 = true;
        // Clients read '/streams/S/events/..' as '/streams/S/': a request for an event must not reach its stream.
        config.router.ignoreTrailingSlashes = false;
        config.jetty.addConnector(connector::connect);
        config.jetty.modifyServletContextHandler(
                handler -> handler.getServletHandler().setDecodeAmbiguousURIs(true));
        config.jetty.modifyServer(jetty -> jetty.setErrorHandler(new JettyProblems()));
    }
}
