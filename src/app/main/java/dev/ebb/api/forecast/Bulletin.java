package dev.ebb.api.forecast;

import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepReport;
import dev.ebb.port.ApiPorts;
import dev.ebb.port.InsightPorts;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.StatusSource;
import dev.ebb.port.StatusView;
import dev.ebb.port.StatusView.MirrorView;
import dev.ebb.port.StatusView.PartitionView;
import dev.ebb.port.UnavailableException;
import dev.ebb.port.forecast.News;
import dev.ebb.port.history.AuditQueries.AuditFilter;
import dev.ebb.port.history.TimeRange;
import dev.ebb.wire.forecast.AmountView;
import dev.ebb.wire.forecast.UpdateView;
import dev.ebb.wire.forecast.UpdateView.AuditUpdate;
import dev.ebb.wire.forecast.UpdateView.IngestUpdate;
import dev.ebb.wire.forecast.UpdateView.PoliciesUpdate;
import dev.ebb.wire.forecast.UpdateView.StatusUpdate;
import dev.ebb.wire.forecast.UpdateView.SweepsUpdate;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * News for all listeners, renewed at most every two seconds and only when a listener asks. One of the asking listeners
 * waits for the broker; the others get the former news at once. The newest ids are looked up when their topic has
 * grown. Thread-safe.
 */
final class Bulletin {

    /** Time for which news stay fresh. */
    static final Duration PERIOD = Duration.ofSeconds(2);

    private final StatusSource status;
    private final InsightPorts insight;
    private final LongSupplier nanoTime;
    private final ReentrantLock making = new ReentrantLock();
    private volatile @Nullable Made latest;

    Bulletin(ApiPorts ports, LongSupplier nanoTime) {
        this.status = ports.status();
        this.insight = ports.insight();
        this.nanoTime = nanoTime;
    }

    private record Made(UpdateView view, long atNanos) {}

    /**
     * Returns the present news. All callers wait while there are none yet; later on, only the one that renews them
     * does.
     */
    UpdateView latest() throws InterruptedException {
        Made known = latest;
        if (known == null) {
            making.lockInterruptibly();
        } else if (isFresh(known) || !making.tryLock()) {
            return known.view();
        }
        try {
            return renewed();
        } finally {
            making.unlock();
        }
    }

    private UpdateView renewed() {
        Made known = latest;
        if (known != null && isFresh(known)) {
            return known.view();
        }
        UpdateView before = known == null ? new UpdateView(null, null, null, null, null) : known.view();
        UpdateView now = made(before);
        latest = new Made(now, nanoTime.getAsLong());
        return now;
    }

    private boolean isFresh(Made known) {
        return nanoTime.getAsLong() - known.atNanos() < PERIOD.toNanos();
    }

    private UpdateView made(UpdateView before) {
        StatusView now = status.status();
        News.Ends ends = insight.news().ends();
        return new UpdateView(
                status(now),
                new PoliciesUpdate(
                        now.policies().version(),
                        now.policies().records(),
                        now.policies().waiting().size()),
                orBefore(() -> sweeps(ends.reports(), before.sweeps()), before.sweeps()),
                orBefore(() -> audit(ends.audit(), before.audit()), before.audit()),
                ingest(now, ends, before.ingest()));
    }

    /** Returns the news, or the former news while the broker is away. */
    private static <T> @Nullable T orBefore(Supplier<@Nullable T> news, @Nullable T before) {
        try {
            return news.get();
        } catch (NotReadyException | UnavailableException e) {
            return before;
        }
    }

    private static StatusUpdate status(StatusView now) {
        MirrorView mirror = now.mirror();
        return new StatusUpdate(
                now.state(),
                now.partitions().size(),
                now.restoring().size(),
                sum(now, PartitionView::dueStreams),
                sum(now, PartitionView::quarantinedStreams),
                sum(now, PartitionView::parkedRecords),
                now.input().lag(),
                mirror == null ? null : mirror.lag(),
                now.clock().problem());
    }

    private static long sum(StatusView now, ToLongFunction<PartitionView> figure) {
        return now.partitions().stream().mapToLong(figure).sum();
    }

    private @Nullable SweepsUpdate sweeps(@Nullable Long end, @Nullable SweepsUpdate before) {
        if (end == null || (before != null && before.end() == end)) {
            return before;
        }
        String newest = insight.sweeps().list(TimeRange.ALWAYS, null, 1).items().stream()
                .map(SweepReport::groupId)
                .findFirst()
                .orElse(null);
        return new SweepsUpdate(end, newest);
    }

    private @Nullable AuditUpdate audit(@Nullable Long end, @Nullable AuditUpdate before) {
        if (end == null || (before != null && before.end() == end)) {
            return before;
        }
        AuditFilter all = AuditFilter.within(TimeRange.ALWAYS);
        String newest = insight.audit().list(all, null, 1).items().stream()
                .map(AuditRecord::auditId)
                .findFirst()
                .orElse(null);
        return new AuditUpdate(end, newest);
    }

    private static @Nullable IngestUpdate ingest(StatusView now, News.Ends ends, @Nullable IngestUpdate before) {
        Long end = ends.events();
        if (end == null) {
            return before;
        }
        AmountView stored = now.namespaces().values().stream()
                .map(held -> new AmountView(held.events(), held.bytes()))
                .reduce(AmountView.NOTHING, AmountView::plus);
        return new IngestUpdate(
                end,
                Objects.requireNonNullElse(ends.rejected(), 0L),
                now.counts().ingested(),
                stored);
    }
}
