package dev.ebb.topology.fault;

import dev.ebb.domain.retention.AuditRecord;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.EventStore;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.pass.HealingListener;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.SweepSchedule;
import dev.ebb.topology.observe.RetentionObserver;
import dev.ebb.topology.removal.Outbox;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Recounts that mend streams whose usage does not agree with their events, and report it. A stream that is suspected
 * repeatedly is quarantined, since a recount does not mend it. Not thread-safe.
 */
public final class StreamHealing {

    /** Largest number of recounts of one stream in the life of a task; more do not help. */
    private static final int MOST_RECOUNTS = 3;

    private final EventStore store;
    private final SweepSchedule schedule;
    private final StreamGuard guard;
    private final Outbox outbox;
    private final RetentionObserver observer;
    private final int partition;
    private final Map<StreamState, Integer> recounts = new HashMap<>();
    private final Map<StreamState, List<Order>> orders = new HashMap<>();

    public StreamHealing(
            EventStore store,
            SweepSchedule schedule,
            StreamGuard guard,
            Outbox outbox,
            RetentionObserver observer,
            int partition) {
        this.store = store;
        this.schedule = schedule;
        this.guard = guard;
        this.outbox = outbox;
        this.observer = observer;
        this.partition = partition;
    }

    /** Listener to the end of a requested recount. */
    public interface Order {

        /** Reports that all is counted; the differences that were found are mended. */
        void counted(List<String> differences);

        /** Reports that the recount failed, and the stream is quarantined. */
        void failed(String reason);
    }

    /** Has the events of a stream recounted even if nothing seems wrong. An order lasts as long as the task. */
    public void order(StreamState stream, String reason, Order order) {
        orders.computeIfAbsent(stream, key -> new ArrayList<>()).add(order);
        store.suspect(stream, reason);
    }

    /** Mends streams for one slice. */
    public void slice(long nowMs, SweepBudget budget) {
        if (store.hasSuspects()) {
            store.heal(budget, new Listener(nowMs));
        }
    }

    /** Listener that confines a failed recount to its stream. */
    private final class Listener implements HealingListener {

        private final long nowMs;

        Listener(long nowMs) {
            this.nowMs = nowMs;
        }

        @Override
        public void healed(StreamState stream, String finding, List<String> differences) {
            StreamHealing.this.healed(stream, finding, differences, nowMs);
        }

        @Override
        public boolean run(StreamState stream, BooleanSupplier work) {
            boolean isDone = guard.run(stream, nowMs, work);
            if (isDone && stream.isSuspect()) {
                Quarantine quarantine = stream.quarantine();
                String reason = quarantine == null ? "" : quarantine.reason();
                ordersOf(stream).forEach(order -> order.failed(reason));
            }
            return isDone;
        }
    }

    private List<Order> ordersOf(StreamState stream) {
        List<Order> given = orders.remove(stream);
        return given == null ? List.of() : given;
    }

    private void healed(StreamState stream, String finding, List<String> differences, long nowMs) {
        observer.usageRecounted(partition, stream.stream(), finding, differences);
        if (!differences.isEmpty()) {
            String id = "usage-" + partition + "-" + store.nextAuditNumber();
            outbox.audit(AuditRecord.ofUsageRepair(
                    id, stream.stream(), finding + ": " + String.join("; ", differences), nowMs));
        }
        List<Order> given = ordersOf(stream);
        if (!given.isEmpty()) {
            recounts.remove(stream);
            given.forEach(order -> order.counted(differences));
        } else if (recounts.merge(stream, 1, Integer::sum) > MOST_RECOUNTS) {
            store.quarantine(stream, new Quarantine("recounted several times without success: " + finding, nowMs));
        }
        schedule.touch(stream);
    }
}
