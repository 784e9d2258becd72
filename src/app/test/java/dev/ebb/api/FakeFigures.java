package dev.ebb.api;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.port.EventQueries;
import dev.ebb.port.EventQueries.StreamQuery;
import dev.ebb.port.forecast.StreamFigures;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;

/** Figures of streams as other ports tell them. */
record FakeFigures(EventQueries events, Map<StreamName, Long> overdueOf) implements StreamFigures {

    @Override
    public void visit(Collection<Integer> partitions, Predicate<Figures> visitor) {
        for (StreamUsage stream : events.streams(new StreamQuery("", null, null, 10_000), partitions)
                .streams()) {
            if (!visitor.test(new Usage(stream, overdueOf.getOrDefault(stream.stream(), 0L)))) {
                return;
            }
        }
    }

    private record Usage(StreamUsage usage, long due) implements Figures {

        @Override
        public StreamName stream() {
            return usage.stream();
        }

        @Override
        public long events() {
            return usage.events();
        }

        @Override
        public Long oldestBefore(long timeMs) {
            return usage.oldest() == null || usage.oldest() >= timeMs ? null : usage.oldest();
        }

        @Override
        public Overdue overdue() {
            return new Overdue(due, true);
        }
    }
}
