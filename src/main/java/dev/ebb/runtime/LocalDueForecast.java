package dev.ebb.runtime;

import dev.ebb.api.DueForecast;
import dev.ebb.api.NotReadyException;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.ReadOnlyEventStore;
import dev.ebb.topology.StreamPartition;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/**
 * Counts what comes due in the partitions of this instance when somebody asks: one record of each stream is read, and of
 * those with something due what is due. A count stands for a second, or for twenty times as long as it took if that is
 * more, so that nobody who asks often can make an instance do nothing else; who asks meanwhile is not kept waiting.
 */
final class LocalDueForecast implements DueForecast, AutoCloseable {

    private static final long FRESH_MS = 1000;
    private static final long REST = 20;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Sources sources;
    private final Clock clock;
    private final ExecutorService counter;
    private final Duration patience;
    private volatile boolean isClosed;
    private @Nullable Outlook counted;
    private @Nullable CompletableFuture<Outlook> running;
    private long freshUntilMs;

    /** @param counter runs one count at a time; closed with this */
    LocalDueForecast(Sources sources, Clock clock, ExecutorService counter) {
        this(sources, clock, counter, PATIENCE);
    }

    /** @param patience how long who asks waits for a new count */
    LocalDueForecast(Sources sources, Clock clock, ExecutorService counter, Duration patience) {
        this.sources = sources;
        this.clock = clock;
        this.counter = counter;
        this.patience = patience;
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
            Supplier<PolicySet> policies) {}

    @Override
    public Outlook outlook() {
        try {
            return begun().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | RejectedExecutionException e) {
            return former();
        } catch (ExecutionException e) {
            throw new IllegalStateException("what comes due cannot be counted", e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return former();
        }
    }

    @Override
    public Overdue overdue(StreamUsage stream) {
        PolicySet policies = sources.policies().get();
        if (policies.isHeld(stream.stream())) {
            return new Overdue(0, true);
        }
        int partition = StreamPartition.of(stream.stream(), sources.partitions());
        try {
            return overdue(sources.stores().of(partition), stream, policies.effective(stream.stream()));
        } catch (InvalidStateStoreException e) {
            throw new NotReadyException("partition " + partition + " is moving", Duration.ofSeconds(1));
        }
    }

    private Overdue overdue(ReadOnlyEventStore store, StreamUsage stream, EffectivePolicy policy) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        long[] events = {0};
        boolean isExact = store.context(stream.stream())
                .map(context -> context.visitDue(policy, 0, clock.millis() - 1, null, due -> {
                    events[0]++;
                    return System.nanoTime() - deadline < 0;
                }))
                .isEmpty();
        return new Overdue(events[0], isExact);
    }

    @Override
    public void close() {
        isClosed = true;
        counter.shutdownNow();
    }

    /** The count that answers: one that stands still, one that runs, or a new one. */
    private synchronized CompletableFuture<Outlook> begun() {
        Outlook known = counted;
        long now = clock.millis();
        if (known != null && now < freshUntilMs && now >= known.countedAtMs()) {
            return CompletableFuture.completedFuture(known);
        }
        CompletableFuture<Outlook> count = running;
        if (count == null) {
            count = CompletableFuture.supplyAsync(this::count, counter);
            running = count;
            // After it is known: it may be done already.
            var unused = count.whenComplete((outlook, failure) -> end(outlook));
        }
        return count;
    }

    private Outlook count() {
        return new DueCount(sources, clock.millis(), () -> isClosed).run();
    }

    private synchronized void end(@Nullable Outlook outlook) {
        running = null;
        if (outlook != null) {
            counted = outlook;
            long tookMs = clock.millis() - outlook.countedAtMs();
            freshUntilMs = outlook.countedAtMs() + Math.max(FRESH_MS, REST * tookMs);
        }
    }

    private synchronized Outlook former() {
        Outlook known = counted;
        if (known == null) {
            throw new NotReadyException("what comes due is still being counted", PATIENCE);
        }
        return known;
    }
}
