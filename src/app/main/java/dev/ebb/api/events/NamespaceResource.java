package dev.ebb.api.events;

import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.ProblemException;
import dev.ebb.api.http.ReadRoute;
import dev.ebb.api.peers.Gathering;
import dev.ebb.api.peers.Gathering.Gathered;
import dev.ebb.api.peers.Gathering.Share;
import dev.ebb.api.peers.PeerAccess;
import dev.ebb.api.peers.PeerQuestion;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.DueForecast;
import dev.ebb.port.ExpiredCounts;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.events.NamespaceView;
import io.javalin.http.Context;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Namespaces: their contents, and how long these will stay. */
public final class NamespaceResource implements ApiResource {

    /** Longest wait for another instance: a count may take five seconds, and the count of expired events five more. */
    private static final Duration PATIENCE = Duration.ofSeconds(12);

    private final Gathering gathering;
    private final StatusSource status;
    private final DueForecast due;
    private final ExpiredCounts expired;

    public NamespaceResource(ApiPorts ports, Gathering gathering) {
        this.gathering = gathering;
        this.status = ports.status();
        this.due = ports.insight().due();
        this.expired = ports.insight().expired();
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ReadRoute.forCaller(NamespaceView.LIST, (ctx, all) -> list(ctx)),
                ReadRoute.forCaller(NamespaceView.SHOW, this::show));
    }

    private NamespaceView.All list(Context ctx) {
        PeerQuestion.allow(ctx, PATIENCE);
        Gathered<NamespaceView.All> gathered = gathering.gather(ctx, NamespaceView.All.class, this::listed);
        Map<String, NamespaceView> sums = new TreeMap<>();
        gathered.answers().stream()
                .flatMap(all -> all.namespaces().stream())
                .forEach(view -> sums.merge(view.namespace(), view, NamespaceView::plus));
        boolean isComplete = gathered.unanswered().isEmpty();
        List<NamespaceView> views = isComplete
                ? List.copyOf(sums.values())
                : sums.values().stream().map(NamespaceView::atLeast).toList();
        return new NamespaceView.All(views, gathered.unanswered());
    }

    private NamespaceView.All listed(Share share) {
        DueForecast.Outlook outlook = due.outlook();
        List<NamespaceView> views = new TreeMap<>(status.namespaces(share.partitions()))
                .entrySet().stream()
                        .map(entry ->
                                NamespaceView.of(entry.getKey(), entry.getValue(), outlook, share.partitions(), false))
                        .toList();
        return new NamespaceView.All(views, List.of());
    }

    /**
     * Describes a namespace. Another instance learns that nothing is here, rather than that there is no such namespace.
     */
    private NamespaceView show(Context ctx, NamespaceView.One query) {
        String name = query.namespace();
        boolean withTtl = query.withTtl();
        PeerQuestion.allow(ctx, PATIENCE);
        Gathered<NamespaceView> gathered =
                gathering.gather(ctx, NamespaceView.class, share -> described(name, withTtl, share));
        NamespaceView sum =
                gathered.answers().stream().reduce(NamespaceView::plus).orElseThrow();
        if (PeerAccess.isForwarded(ctx)) {
            return sum;
        }
        if (sum.streams() == 0) {
            throw missing(name, gathered.unanswered());
        }
        return sum.completed(withTtl ? expired.lastHour() : null, gathered.unanswered());
    }

    private NamespaceView described(String name, boolean withTtl, Share share) {
        StatusView.NamespaceView held =
                status.namespaces(share.partitions()).getOrDefault(name, StatusView.NamespaceView.NOTHING);
        return NamespaceView.of(name, held, due.outlook(), share.partitions(), withTtl);
    }

    /** Returns the error for a namespace that was not found; instances that gave no answer may have it. */
    private static RuntimeException missing(String name, List<UnansweredView> unanswered) {
        if (unanswered.isEmpty()) {
            return ProblemException.notFound("there are no streams in namespace '" + name + "'");
        }
        UnansweredView one = unanswered.get(0);
        return new NotReadyException(
                "it is not known whether there are streams in namespace '" + name + "': the instance at "
                        + one.instance() + " does not answer: " + one.reason(),
                Duration.ofSeconds(1));
    }
}
