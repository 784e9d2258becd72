package dev.ebb.runtime.forecast;

import dev.ebb.api.http.Audience;
import dev.ebb.domain.Snapshot;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicyField;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.forecast.ForecastQueries;
import dev.ebb.runtime.reads.StandingCount;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.read.StreamOutline;
import java.lang.ref.SoftReference;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Forecasts for the partitions of this instance, from outlines of its streams that are renewed on request. A caller
 * waits a moment for new outlines and otherwise gets the former ones; only the first caller has to wait. The outlines
 * are given up when memory is scarce.
 */
public final class LocalForecast implements ForecastQueries, AutoCloseable {

    /** Longest wait for new outlines where there are former ones. */
    private static final Duration A_MOMENT = Duration.ofMillis(250);

    /** Maximum number of figures in one answer: namespaces times buckets. */
    private static final int MOST_FIGURES = 200_000;

    private static final int HEAP_SHARE = 2;

    /** The bytes of two outlines, since new ones are made beside former ones, and a bit: one of one event takes 311. */
    private static final int OUTLINE_BYTES = 800;

    private static final int FEWEST = 20;
    private static final int LOOK_EVERY = 4096;

    private final Supplier<PolicySet> policies;
    private final StandingCount<SoftReference<Outlines>> outlines;
    private final OutlineSurvey survey;
    private final Function<Outlines, SoftReference<Outlines>> keeper;
    private final RecentAnswers<Asked, Forecast> forecasts = new RecentAnswers<>();
    private final RecentAnswers<Asked, DueStreams> dueStreams = new RecentAnswers<>();
    private volatile SoftReference<Outlines> former = new SoftReference<>(Outlines.NOTHING);

    /** A question about partitions, with the most entries to return and the place behind which they begin. */
    private record Asked(
            Question question,
            Set<Integer> partitions,
            int most,
            @Nullable Place after) {}

    /**
     * @param local the partitions that this instance has
     * @param surveyor makes one survey at a time; closed with this object
     */
    public LocalForecast(
            PartitionStores stores,
            Supplier<Collection<Integer>> local,
            Supplier<PolicySet> policies,
            Clock clock,
            ExecutorService surveyor) {
        this(stores, local, policies, clock, surveyor, SoftReference::new, mostStreams());
    }

    /** Outlines may take half of the heap: more would end the instance for the sake of a page. */
    private static long mostStreams() {
        return Runtime.getRuntime().maxMemory() / HEAP_SHARE / OUTLINE_BYTES;
    }

    /**
     * @param keeper keeps outlines until memory is scarce
     * @param mostStreams the most streams of which outlines are made
     */
    LocalForecast(
            PartitionStores stores,
            Supplier<Collection<Integer>> local,
            Supplier<PolicySet> policies,
            Clock clock,
            ExecutorService surveyor,
            Function<Outlines, SoftReference<Outlines>> keeper,
            long mostStreams) {
        this.policies = policies;
        this.keeper = keeper;
        this.outlines = new StandingCount<>(this::survey, clock, surveyor, A_MOMENT);
        this.survey = new OutlineSurvey(stores, local, outlines::isClosed, mostStreams);
    }

    private SoftReference<Outlines> survey(long nowMs) {
        Outlines before = former.get();
        Outlines made = survey.survey(before == null ? Outlines.NOTHING : before, nowMs);
        SoftReference<Outlines> kept = keeper.apply(made);
        former = kept;
        return kept;
    }

    @Override
    public Forecast forecast(Question question, Collection<Integer> partitions, int most) {
        return answer(
                forecasts,
                question,
                partitions,
                most,
                null,
                (known, inForce) -> forecast(question, partitions, most, known, inForce));
    }

    /** An answer for policies that are not in force is requested only once, and not kept. */
    private <A> A answer(
            RecentAnswers<Asked, A> recent,
            Question question,
            Collection<Integer> partitions,
            int most,
            @Nullable Place after,
            BiFunction<Outlines, PolicySet, A> answer) {
        Outlines known = outlines();
        PolicySet others = question.policies();
        if (others != null) {
            return answer.apply(known, others);
        }
        PolicySet inForce = policies.get();
        Asked asked = new Asked(question, Snapshot.of(partitions), most, after);
        return recent.of(asked, known, inForce, () -> answer.apply(known, inForce));
    }

    private static Forecast forecast(
            Question question, Collection<Integer> partitions, int most, Outlines known, PolicySet inForce) {
        List<StreamOutline> streams = streams(known, question, partitions);
        int fitting = Math.max(FEWEST, MOST_FIGURES / question.buckets().size());
        Set<String> shown = biggest(streams, Math.min(most, fitting));
        Map<String, Spread> spreads = new HashMap<>();
        Set<String> rest = new HashSet<>();
        Spread ofOthers = new Spread(known.atMs(), question.buckets());
        DueParts parts = new DueParts();
        boolean hasWindows = false;
        long readEvents = 0;
        for (int i = 0; i < streams.size(); i++) {
            lookUp(i);
            StreamOutline stream = streams.get(i);
            String namespace = stream.stream().namespace();
            boolean isShown = shown.contains(namespace);
            Spread spread = isShown
                    ? spreads.computeIfAbsent(namespace, name -> new Spread(known.atMs(), question.buckets()))
                    : ofOthers;
            if (!isShown) {
                rest.add(namespace);
            }
            EffectivePolicy policy = inForce.effective(stream.stream());
            hasWindows |= !policy.get(PolicyField.WINDOW).value().equals(SweepWindow.ALWAYS);
            readEvents += stream.isFine() ? stream.events() : stream.keptEvents();
            spread.stored(stream.events(), stream.bytes());
            parts.tell(stream, policy, inForce.isHeld(stream.stream()), known.atMs(), spread);
        }
        Map<String, Sums> sums = new TreeMap<>();
        spreads.forEach((name, spread) -> sums.put(name, spread.sums()));
        return new Forecast(
                known.atMs(),
                missing(known, partitions),
                hasWindows,
                readEvents,
                sums,
                rest.size(),
                rest.isEmpty() ? null : ofOthers.sums());
    }

    @Override
    public DueStreams streams(Question question, Collection<Integer> partitions, @Nullable Place after, int limit) {
        return answer(
                dueStreams,
                question,
                partitions,
                limit,
                after,
                (known, inForce) -> streams(question, partitions, new DuePage(after, limit), known, inForce));
    }

    private static DueStreams streams(
            Question question, Collection<Integer> partitions, DuePage page, Outlines known, PolicySet inForce) {
        DueParts parts = new DueParts();
        long count = 0;
        Tally sum = Tally.ZERO;
        boolean isExact = true;
        List<StreamOutline> streams = streams(known, question, partitions);
        for (int i = 0; i < streams.size(); i++) {
            lookUp(i);
            StreamOutline stream = streams.get(i);
            WithinTime within = new WithinTime(question.fromMs(), question.toMs(), known.atMs());
            parts.tell(
                    stream, inForce.effective(stream.stream()), inForce.isHeld(stream.stream()), known.atMs(), within);
            DueStream due = within.of(stream);
            isExact &= within.isExact();
            if (due != null) {
                page.add(due);
                count++;
                sum = sum.plus(due.due().events(), due.due().bytes());
            }
        }
        return new DueStreams(known.atMs(), missing(known, partitions), count, sum, isExact, page.streams());
    }

    @Override
    public void close() {
        outlines.close();
    }

    private static void lookUp(int index) {
        if (index % LOOK_EVERY == 0) {
            Audience.require();
        }
    }

    private static int missing(Outlines known, Collection<Integer> partitions) {
        return (int) partitions.stream()
                .filter(partition -> !known.byPartition().containsKey(partition))
                .count();
    }

    private static List<StreamOutline> streams(Outlines known, Question question, Collection<Integer> partitions) {
        String namespace = question.namespace();
        List<StreamOutline> streams = new ArrayList<>();
        for (int partition : partitions) {
            List<StreamOutline> here = known.byPartition().getOrDefault(partition, List.of());
            if (namespace == null) {
                streams.addAll(here);
            } else {
                here.stream()
                        .filter(stream -> namespace.equals(stream.stream().namespace()))
                        .forEach(streams::add);
            }
        }
        return streams;
    }

    private static Set<String> biggest(List<StreamOutline> streams, int most) {
        Map<String, Long> events = new HashMap<>();
        streams.forEach(stream -> events.merge(stream.stream().namespace(), stream.events(), Long::sum));
        if (events.size() <= most) {
            return events.keySet();
        }
        Set<String> biggest = new HashSet<>();
        events.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .forEach(entry -> biggest.add(entry.getKey()));
        return biggest;
    }

    /** Returns the outlines; makes new ones if there are none, because none were made or memory is scarce. */
    private Outlines outlines() {
        long deadline = System.nanoTime() + StandingCount.PATIENCE.toNanos();
        while (System.nanoTime() - deadline < 0
                && !outlines.isClosed()
                && !Thread.currentThread().isInterrupted()) {
            SoftReference<Outlines> standing = outlines.get().orElse(null);
            Outlines known = standing == null ? null : standing.get();
            if (standing != null && (known == null || known.byPartition().isEmpty())) {
                // An empty entry would stay, and each look at it would return at once. Outlines of no partition, made
                // while all partitions were being restored, cost nothing to make again.
                outlines.drop(standing);
            }
            if (known != null) {
                return known;
            }
            Audience.require();
        }
        throw new NotReadyException("the streams are still being looked at; ask again", Duration.ofSeconds(1));
    }
}
