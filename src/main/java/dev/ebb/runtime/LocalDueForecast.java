package dev.ebb.runtime;

import dev.ebb.api.DueForecast;
import dev.ebb.api.NotReadyException;
import dev.ebb.api.OtherInstanceException;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.SweepReport.Tally;
import dev.ebb.store.ReadOnlyEventStore;
import dev.ebb.topology.StreamPartition;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Counts what comes due in the partitions of this instance, once a minute at most and never for longer than a moment,
 * when somebody asks.
 */
final class LocalDueForecast implements DueForecast {

    private static final long HOUR_MS = Duration.ofHours(1).toMillis();
    private static final long DAY_MS = Duration.ofDays(1).toMillis();
    private static final long FRESH_MS = Duration.ofMinutes(1).toMillis();
    private static final int STREAMS = 1000;
    private static final long READS = 200_000;
    private static final long READS_OF_STREAM = 100_000;
    private static final Duration TIME = Duration.ofSeconds(1);
    private static final Duration TIME_OF_STREAM = Duration.ofSeconds(5);

    private final Sources sources;
    private final Clock clock;
    private @Nullable Map<String, Forecast> counted;
    private long countedAtMs;

    LocalDueForecast(Sources sources, Clock clock) {
        this.sources = sources;
        this.clock = clock;
    }

    /**
     * Where the answers come from.
     *
     * @param local the partitions that this instance has
     * @param partitions how many partitions there are
     */
    record Sources(
            PartitionStores stores,
            Supplier<Collection<Integer>> local,
            int partitions,
            Supplier<PolicySet> policies,
            DueReads reads) {}

    /**
     * What comes of a namespace.
     *
     * @param held events that a hold covers
     */
    record Forecast(Due due, long held) {}

    @Override
    public Map<String, Due> byNamespace() {
        Map<String, Due> due = new TreeMap<>();
        forecasts().forEach((namespace, forecast) -> due.put(namespace, forecast.due()));
        return due;
    }

    @Override
    public Overdue overdue(StreamUsage stream) {
        PolicySet policies = sources.policies().get();
        if (policies.isHeld(stream.stream())) {
            return new Overdue(0, true);
        }
        ReadBudget budget = new ReadBudget(READS_OF_STREAM, TIME_OF_STREAM);
        long[] events = {0};
        int partition = StreamPartition.of(stream.stream(), sources.partitions());
        EffectivePolicy policy = policies.effective(stream.stream());
        try {
            ReadOnlyEventStore store = sources.stores().of(partition);
            sources.reads().visit(store, stream, policy, clock.millis() - 1, budget, (dueAt, bytes) -> events[0]++);
        } catch (InvalidStateStoreException e) {
            throw new NotReadyException("partition " + partition + " is moving", Duration.ofSeconds(1));
        }
        return new Overdue(events[0], !budget.isSpent());
    }

    /** By namespace; those of which nothing is due or held are left out. */
    synchronized Map<String, Forecast> forecasts() {
        long now = clock.millis();
        Map<String, Forecast> known = counted;
        if (known == null || now - countedAtMs >= FRESH_MS || now < countedAtMs) {
            known = new Count(now).run();
            counted = known;
            countedAtMs = now;
        }
        return known;
    }

    /** One pass over all streams. */
    private final class Count {

        private final long nowMs;
        private final PolicySet policies = sources.policies().get();
        private final ReadBudget budget = new ReadBudget(READS, TIME);
        private final Map<String, Sums> sums = new TreeMap<>();
        private boolean isExact = true;

        Count(long nowMs) {
            this.nowMs = nowMs;
        }

        Map<String, Forecast> run() {
            for (int partition : sources.local().get()) {
                try {
                    count(sources.stores().of(partition));
                } catch (NotReadyException | OtherInstanceException | InvalidStateStoreException e) {
                    // On its way to or from this instance: counted where and when it can be read.
                    isExact = false;
                }
            }
            boolean exact = isExact && !budget.isSpent();
            Map<String, Forecast> forecasts = new TreeMap<>();
            sums.forEach((namespace, sum) -> forecasts.put(namespace, sum.forecast(exact, nowMs)));
            return forecasts;
        }

        private void count(ReadOnlyEventStore store) {
            @Nullable String after = null;
            do {
                List<StreamUsage> streams = store.streams(after, "", STREAMS);
                for (StreamUsage stream : streams) {
                    if (budget.isSpent()) {
                        return;
                    }
                    budget.spend(1);
                    count(store, stream);
                }
                after = streams.size() < STREAMS
                        ? null
                        : streams.get(streams.size() - 1).stream().value();
            } while (after != null);
        }

        private void count(ReadOnlyEventStore store, StreamUsage stream) {
            if (policies.isHeld(stream.stream())) {
                sumsOf(stream).held += stream.events();
                return;
            }
            EffectivePolicy policy = policies.effective(stream.stream());
            if (policy.isEnforced()) {
                sources.reads().visit(store, stream, policy, nowMs + DAY_MS, budget, (dueAt, bytes) -> sumsOf(stream)
                        .add(dueAt <= nowMs + HOUR_MS, bytes));
            }
        }

        private Sums sumsOf(StreamUsage stream) {
            return sums.computeIfAbsent(stream.stream().namespace(), name -> new Sums());
        }
    }

    /** The sums of a namespace. */
    private static final class Sums {

        private Tally inHour = Tally.ZERO;
        private Tally inDay = Tally.ZERO;
        private long held;

        void add(boolean isInHour, long bytes) {
            inDay = inDay.plus(1, bytes);
            inHour = isInHour ? inHour.plus(1, bytes) : inHour;
        }

        Forecast forecast(boolean isExact, long nowMs) {
            return new Forecast(new Due(inHour, inDay, isExact, nowMs), held);
        }
    }
}
