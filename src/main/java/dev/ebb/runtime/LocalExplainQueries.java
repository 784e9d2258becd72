package dev.ebb.runtime;

import dev.ebb.api.ExplainQueries;
import dev.ebb.api.NotReadyException;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Place;
import dev.ebb.store.ReadOnlyEventStore;
import dev.ebb.store.StreamContext;
import dev.ebb.topology.StreamPartition;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;

/** Asks the stores of this instance how an event stands. */
final class LocalExplainQueries implements ExplainQueries {

    private final PartitionStores stores;
    private final int partitions;
    private final Supplier<PolicySet> policies;

    LocalExplainQueries(PartitionStores stores, int partitions, Supplier<PolicySet> policies) {
        this.stores = stores;
        this.partitions = partitions;
        this.policies = policies;
    }

    @Override
    public Optional<Standing> standing(StreamName stream, EventId id) {
        int partition = StreamPartition.of(stream, partitions);
        try {
            ReadOnlyEventStore store = stores.of(partition);
            return store.find(stream, id).map(event -> standing(event, store.context(stream)));
        } catch (InvalidStateStoreException e) {
            throw new NotReadyException("partition " + partition + " is moving", Duration.ofSeconds(1));
        }
    }

    /** A stream that went between two looks has no context any more: its event stands for itself. Caps are not asked. */
    private Standing standing(StoredEvent event, Optional<StreamContext> context) {
        StreamName stream = event.event().stream();
        PolicySet inForce = policies.get();
        Place place = context.map(known -> known.place(event, inForce.effective(stream)))
                .orElse(Place.WITHIN_CAPS);
        Execution execution = context.stream()
                .flatMap(known -> known.executions().stream())
                .filter(known -> known.number() == event.event().execution())
                .findFirst()
                .orElse(null);
        return new Standing(event, place, inForce.isHeld(stream), execution);
    }
}
