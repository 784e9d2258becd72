package dev.ebb.api.forecast;

import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.forecast.ForecastQueries.Forecast;
import dev.ebb.port.forecast.ForecastQueries.Sums;
import dev.ebb.wire.UnansweredView;
import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.ForecastView;
import dev.ebb.wire.forecast.ForecastView.DueView;
import dev.ebb.wire.forecast.ForecastView.NamespaceView;
import dev.ebb.wire.forecast.ForecastView.OthersView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Adds up the forecasts of all instances. Used once. */
final class ForecastSum {

    /** Puts the namespaces that lose the most before the end of the buckets first: they are what a forecast is for. */
    private static final Comparator<NamespaceView> MOST_DUE_FIRST = Comparator.<NamespaceView>comparingLong(
                    view -> -dueEvents(view))
            .thenComparingLong(view -> -view.stored().events())
            .thenComparing(NamespaceView::namespace);

    private final TimeSteps steps;
    private final Map<String, NamespaceView> namespaces = new TreeMap<>();
    private @Nullable OthersView others;

    /**
     * For each part that has summed up some of its namespaces, the names of the others: only these are complete in that
     * part.
     */
    private final List<Set<String>> cut = new ArrayList<>();

    private long atMs = Long.MAX_VALUE;
    private int partitionsMissing;
    private boolean hasWindows;
    private long readEvents;

    ForecastSum(TimeSteps steps) {
        this.steps = steps;
    }

    /** Adds the forecast of this instance. */
    ForecastSum add(Forecast forecast) {
        atMs = Math.min(atMs, forecast.atMs());
        partitionsMissing += forecast.partitionsMissing();
        hasWindows |= forecast.hasWindows();
        readEvents += forecast.readEvents();
        forecast.namespaces().forEach((name, sums) -> add(view(name, sums)));
        Sums rest = forecast.sumOfOthers();
        if (rest != null) {
            cut.add(forecast.namespaces().keySet());
            addOthers(others(forecast.others(), view("", rest)));
        }
        return this;
    }

    /**
     * Adds the forecast of another instance.
     *
     * @throws NotReadyException if the buckets differ, because the other instance runs an older version that derives
     *     them from its own clock
     */
    void add(ForecastView other) {
        if (!other.buckets().equals(steps.views())) {
            throw new NotReadyException("the instances do not agree on the time yet; ask again", Duration.ofSeconds(1));
        }
        atMs = Math.min(atMs, other.at());
        partitionsMissing += other.partitionsMissing();
        hasWindows |= other.windows();
        readEvents += other.readEvents();
        other.namespaces().forEach(this::add);
        OthersView more = other.others();
        if (more != null) {
            cut.add(other.namespaces().stream().map(NamespaceView::namespace).collect(Collectors.toSet()));
            addOthers(more);
        }
    }

    private void addOthers(OthersView more) {
        others = others == null ? more : plus(others, more);
    }

    private void add(NamespaceView view) {
        namespaces.merge(view.namespace(), view, ForecastSum::plus);
    }

    /**
     * Returns the sum.
     *
     * @param most most namespaces that are shown one by one
     * @param unanswered instances whose part is missing
     */
    ForecastView view(int most, List<UnansweredView> unanswered) {
        List<NamespaceView> sorted = namespaces.values().stream()
                .map(this::asKnown)
                .sorted(MOST_DUE_FIRST)
                .toList();
        List<NamespaceView> shown = sorted.subList(0, Math.min(most, sorted.size()));
        OthersView rest = sorted.subList(shown.size(), sorted.size()).stream()
                .map(view -> others(1, view))
                .reduce(ForecastSum::plus)
                .orElse(null);
        OthersView all = rest == null || others == null ? (rest == null ? others : rest) : plus(rest, others);
        int missing = partitionsMissing
                + unanswered.stream().mapToInt(one -> one.partitions().size()).sum();
        return new ForecastView(
                atMs,
                steps.fromMs(),
                steps.toMs(),
                steps.stepMs(),
                missing == 0 && isExact(shown, all),
                missing,
                hasWindows,
                stored(shown, all),
                readEvents,
                steps.views(),
                shown,
                all,
                unanswered);
    }

    /** Marks the figures of a namespace as not exact if a part may have summed it up among its others. */
    private NamespaceView asKnown(NamespaceView view) {
        if (cut.stream().allMatch(names -> names.contains(view.namespace()))) {
            return view;
        }
        List<DueView> due = view.due().stream()
                .map(one -> new DueView(one.events(), one.bytes(), false))
                .toList();
        return new NamespaceView(
                view.namespace(), view.stored(), view.overdue(), view.sooner(), due, view.later(), view.never());
    }

    private static long dueEvents(NamespaceView view) {
        return view.overdue().events()
                + view.sooner().events()
                + view.due().stream().mapToLong(DueView::events).sum();
    }

    private static boolean isExact(List<NamespaceView> shown, @Nullable OthersView others) {
        return shown.stream().allMatch(view -> isExact(view.due())) && (others == null || isExact(others.due()));
    }

    private static boolean isExact(List<DueView> due) {
        return due.stream().allMatch(DueView::exact);
    }

    private static AmountView stored(List<NamespaceView> shown, @Nullable OthersView others) {
        AmountView sum = shown.stream().map(NamespaceView::stored).reduce(AmountView.NOTHING, AmountView::plus);
        return others == null ? sum : sum.plus(others.stored());
    }

    private static NamespaceView view(String name, Sums sums) {
        return new NamespaceView(
                name,
                amount(sums.stored()),
                amount(sums.overdue()),
                amount(sums.sooner()),
                sums.due().stream()
                        .map(due ->
                                new DueView(due.tally().events(), due.tally().bytes(), due.isExact()))
                        .toList(),
                amount(sums.later()),
                amount(sums.never()));
    }

    static AmountView amount(Tally tally) {
        return new AmountView(tally.events(), tally.bytes());
    }

    private static NamespaceView plus(NamespaceView one, NamespaceView other) {
        return new NamespaceView(
                one.namespace(),
                one.stored().plus(other.stored()),
                one.overdue().plus(other.overdue()),
                one.sooner().plus(other.sooner()),
                plus(one.due(), other.due()),
                one.later().plus(other.later()),
                one.never().plus(other.never()));
    }

    private static OthersView others(long count, NamespaceView one) {
        return new OthersView(count, one.stored(), one.overdue(), one.sooner(), one.due(), one.later(), one.never());
    }

    private static OthersView plus(OthersView one, OthersView other) {
        return new OthersView(
                one.namespaces() + other.namespaces(),
                one.stored().plus(other.stored()),
                one.overdue().plus(other.overdue()),
                one.sooner().plus(other.sooner()),
                plus(one.due(), other.due()),
                one.later().plus(other.later()),
                one.never().plus(other.never()));
    }

    private static List<DueView> plus(List<DueView> one, List<DueView> other) {
        List<DueView> sums = new ArrayList<>(one.size());
        IntStream.range(0, one.size()).forEach(i -> sums.add(plus(one.get(i), other.get(i))));
        return sums;
    }

    private static DueView plus(DueView one, DueView other) {
        return new DueView(one.events() + other.events(), one.bytes() + other.bytes(), one.exact() && other.exact());
    }
}
