package dev.ebb.api;

import io.javalin.http.Context;
import java.util.List;
import java.util.TreeMap;

/** Namespaces: what they hold, and how long they will. */
final class NamespaceResource implements ApiResource {

    private final StatusSource status;
    private final DueForecast due;
    private final ExpiredCounts expired;

    NamespaceResource(ApiPorts ports) {
        this.status = ports.status();
        this.due = ports.insight().due();
        this.expired = ports.insight().expired();
    }

    @Override
    public List<ApiRoute> routes() {
        return List.of(
                ApiRoute.get(
                                "/v1/namespaces",
                                this::list,
                                "Lists the namespaces with what they hold and what their policies warn of.")
                        .answers(NamespaceView.All.class),
                ApiRoute.get(
                                "/v1/namespaces/{namespace}",
                                this::get,
                                "What a namespace holds and what its policies warn of.")
                        .flag("ttl-stats", "Also what its events ask for and when they go.")
                        .answers(NamespaceView.class));
    }

    private void list(Context ctx) {
        QueryParams.refuseAll(ctx);
        DueForecast.Outlook outlook = due.outlook();
        List<NamespaceView> views = new TreeMap<>(status.status().namespaces())
                .entrySet().stream()
                        .map(entry -> NamespaceView.of(entry.getKey(), entry.getValue(), outlook))
                        .toList();
        ApiJson.answer(ctx, new NamespaceView.All(views));
    }

    private void get(Context ctx) {
        QueryParams params = QueryParams.of(ctx, "ttl-stats");
        boolean withTtl = params.flag("ttl-stats");
        params.done();
        String name = PathNames.text(ctx, "namespace");
        StatusView.NamespaceView held = status.status().namespaces().get(name);
        if (held == null) {
            throw ProblemException.notFound("there are no streams in namespace '" + name + "' on this instance");
        }
        DueForecast.Outlook outlook = due.outlook();
        ApiJson.answer(
                ctx,
                withTtl
                        ? NamespaceView.of(name, held, outlook, expired.lastHour())
                        : NamespaceView.of(name, held, outlook));
    }
}
