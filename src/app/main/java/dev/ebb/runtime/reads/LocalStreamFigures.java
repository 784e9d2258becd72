package dev.ebb.runtime.reads;

import dev.ebb.api.http.Audience;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.port.forecast.StreamFigures;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import java.time.Clock;
import java.util.Collection;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Figures from the records of streams; reads an event only where these records leave a question open. */
public record LocalStreamFigures(PartitionStores stores, Supplier<PolicySet> policies, Clock clock)
        implements StreamFigures {

    @Override
    public void visit(Collection<Integer> partitions, Predicate<Figures> visitor) {
        for (int partition : partitions) {
            if (!stores.read(partition, store -> visit(store, visitor))) {
                return;
            }
        }
    }

    private boolean visit(ReadOnlyEventStore store, Predicate<Figures> visitor) {
        PolicySet inForce = policies.get();
        for (StreamContext stream : store.contexts(null, null)) {
            Audience.require();
            if (!visitor.test(new OfStream(stream, inForce, clock.millis()))) {
                return false;
            }
        }
        return true;
    }

    private record OfStream(StreamContext context, PolicySet policies, long nowMs) implements Figures {

        @Override
        public StreamName stream() {
            return context.stream();
        }

        @Override
        public long events() {
            return context.totalEvents();
        }

        @Override
        public @Nullable Long oldestBefore(long timeMs) {
            return context.oldestBefore(timeMs);
        }

        @Override
        public Overdue overdue() {
            EffectivePolicy policy = policies.effective(stream());
            if (context.hasNothingDue(policy, nowMs - 1)) {
                return new Overdue(0, true);
            }
            long deadline = System.nanoTime() + StandingCount.PATIENCE.toNanos();
            long[] events = {0};
            @Nullable
            String rest = context.visitDue(policy, 0, nowMs - 1, null, due -> {
                Audience.require();
                events[0]++;
                return System.nanoTime() - deadline < 0;
            });
            return new Overdue(events[0], rest == null);
        }
    }
}
