package dev.ebb.api.forecast;

import dev.ebb.api.forecast.TimeSteps.Direction;
import dev.ebb.api.http.ApiJson;
import dev.ebb.api.http.ApiResource;
import dev.ebb.api.http.ApiRoute;
import dev.ebb.api.http.QueryParams;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.forecast.DeletionHistory;
import dev.ebb.port.forecast.DeletionHistory.Deletions;
import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.DeletionsView;
import dev.ebb.wire.forecast.DeletionsView.CauseView;
import dev.ebb.wire.forecast.DeletionsView.NamespaceView;
import io.javalin.http.Context;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Past deletes and their causes over time (C-3). The audit has the deletes of all instances, so that each instance can
 * answer.
 */
public record HistoryResource(DeletionHistory history, Clock clock) implements ApiResource {

    private static final int NAMESPACES = 20;
    private static final int MOST_NAMESPACES = 200;

    @Override
    public List<ApiRoute> routes() {
        ApiRoute route = ApiRoute.get(
                        "/v1/history", this::answer, "Shows past deletes over time, by namespace and cause.")
                .query("namespace", "Only this namespace. Default: all.");
        return List.of(TimeSteps.onRoute(route, Direction.BACK)
                .with(new ApiRoute.Query(
                        "limit",
                        "integer",
                        "The most namespaces that are listed separately, 1 to " + MOST_NAMESPACES + ". Default: "
                                + NAMESPACES + ". The others are added up."))
                .answers(DeletionsView.class));
    }

    private void answer(Context ctx, QueryParams params) {
        String namespace = params.text("namespace");
        int most = params.number("limit", 1, MOST_NAMESPACES, NAMESPACES);
        long nowMs = clock.millis();
        TimeSteps steps = TimeSteps.of(params, Direction.BACK, nowMs);
        Deletions known = history.deletions(namespace, steps.bounds());
        List<NamespaceView> all = new ArrayList<>();
        known.namespaces().forEach((name, causes) -> all.add(view(name, causes)));
        all.sort(Comparator.<NamespaceView>comparingLong(view -> -view.deleted().events())
                .thenComparing(NamespaceView::namespace));
        List<NamespaceView> shown = all.subList(0, Math.min(most, all.size()));
        List<NamespaceView> rest = all.subList(shown.size(), all.size());
        ApiJson.answer(
                ctx,
                new DeletionsView(
                        nowMs,
                        steps.fromMs(),
                        steps.toMs(),
                        steps.stepMs(),
                        known.sinceMs(),
                        known.isComplete(),
                        known.preciseFromMs(),
                        all.stream().map(NamespaceView::deleted).reduce(AmountView.NOTHING, AmountView::plus),
                        steps.views(),
                        List.copyOf(shown),
                        others(rest)));
    }

    private static NamespaceView view(String name, Map<String, List<Tally>> causes) {
        List<CauseView> views = new ArrayList<>();
        new TreeMap<>(causes)
                .forEach((cause, tallies) -> views.add(new CauseView(
                        cause, tallies.stream().map(ForecastSum::amount).toList())));
        AmountView sum =
                views.stream().flatMap(view -> view.deleted().stream()).reduce(AmountView.NOTHING, AmountView::plus);
        return new NamespaceView(name, sum, views);
    }

    private static List<CauseView> others(Collection<NamespaceView> rest) {
        Map<String, List<AmountView>> sums = new TreeMap<>();
        rest.forEach(view ->
                view.causes().forEach(cause -> sums.merge(cause.cause(), cause.deleted(), HistoryResource::plus)));
        List<CauseView> views = new ArrayList<>();
        sums.forEach((cause, amounts) -> views.add(new CauseView(cause, amounts)));
        return views;
    }

    private static List<AmountView> plus(List<AmountView> one, List<AmountView> other) {
        return IntStream.range(0, one.size())
                .mapToObj(i -> one.get(i).plus(other.get(i)))
                .toList();
    }
}
