package dev.ebb.runtime;

import dev.ebb.api.EventQueries;
import dev.ebb.api.NotReadyException;
import dev.ebb.api.ReadEvent;
import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.StreamUsage;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.ReadOnlyEventStore;
import dev.ebb.store.StreamContext;
import dev.ebb.topology.StreamPartition;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.streams.errors.InvalidStateStoreException;
import org.jspecify.annotations.Nullable;

/** Reads the stores of this instance, and hides what is due under the policies in force (M-17). */
final class LocalEventQueries implements EventQueries {

    private static final Comparator<StreamUsage> BY_NAME = Comparator.comparing(
            usage -> usage.stream().value().getBytes(StandardCharsets.UTF_8), Arrays::compareUnsigned);

    private final PartitionStores stores;
    private final int partitions;
    private final Supplier<PolicySet> policies;
    private final Clock clock;

    LocalEventQueries(PartitionStores stores, int partitions, Supplier<PolicySet> policies, Clock clock) {
        this.stores = stores;
        this.partitions = partitions;
        this.policies = policies;
        this.clock = clock;
    }

    @Override
    public StreamPage streams(StreamQuery query) {
        String prefix = prefixOf(query);
        if (prefix == null) {
            return new StreamPage(List.of(), null);
        }
        List<StreamUsage> found = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            found.addAll(read(partition, store -> store.streams(query.after(), prefix, query.limit() + 1)));
        }
        found.sort(BY_NAME);
        List<StreamUsage> page = found.subList(0, Math.min(found.size(), query.limit()));
        String next =
                found.size() > page.size() ? page.get(page.size() - 1).stream().value() : null;
        return new StreamPage(
                page.stream().filter(usage -> isIn(query.namespace(), usage)).toList(), next);
    }

    @Override
    public Optional<StreamUsage> usage(StreamName stream) {
        return read(partitionOf(stream), store -> store.usage(stream));
    }

    @Override
    public EventPage events(StreamName stream, EventQuery query) {
        Long within = query.expiringWithinMs();
        if (within != null) {
            return expiring(stream, query, within);
        }
        long now = clock.millis();
        PolicySet inForce = policies.get();
        return read(partitionOf(stream), store -> {
            var page = list(store, stream, query);
            Optional<StreamContext> context = store.context(stream);
            List<ReadEvent> shown = page.events().stream()
                    .map(event -> view(event, context, inForce, now))
                    .filter(event -> query.includeExpired() || !event.isExpired())
                    .filter(event -> hasStatus(event.event(), query.status()))
                    .toList();
            return new EventPage(shown, page.nextCursor());
        });
    }

    private EventPage expiring(StreamName stream, EventQuery query, long withinMs) {
        long now = clock.millis();
        PolicySet inForce = policies.get();
        if (inForce.isHeld(stream)) {
            return new EventPage(List.of(), null);
        }
        return read(partitionOf(stream), store -> store.context(stream)
                .map(context -> new ExpiringEvents(context, inForce.effective(stream), now).page(query, withinMs))
                .orElse(new EventPage(List.of(), null)));
    }

    @Override
    public Optional<ReadEvent> event(StreamName stream, EventId id) {
        long now = clock.millis();
        PolicySet inForce = policies.get();
        return read(partitionOf(stream), store -> store.find(stream, id)
                .map(event -> view(event, store.context(stream), inForce, now)));
    }

    private int partitionOf(StreamName stream) {
        return StreamPartition.of(stream, partitions);
    }

    /** A store may be closed under the reader when its partition moves. */
    private <T> T read(int partition, Function<ReadOnlyEventStore, T> question) {
        try {
            return question.apply(stores.of(partition));
        } catch (InvalidStateStoreException e) {
            throw new NotReadyException("partition " + partition + " is moving", Duration.ofSeconds(1));
        }
    }

    private static dev.ebb.store.EventPage list(ReadOnlyEventStore store, StreamName stream, EventQuery query) {
        try {
            return store.list(stream, query.cursor(), query.limit());
        } catch (IllegalArgumentException e) {
            throw new BadCursorException();
        }
    }

    /** A stream that went between two looks has no context any more: its event stands for itself. */
    private static ReadEvent view(StoredEvent event, Optional<StreamContext> context, PolicySet policies, long now) {
        StreamName stream = event.event().stream();
        EffectivePolicy policy = policies.effective(stream);
        EventFacts facts = context.map(known -> known.facts(event)).orElse(event);
        long dueAt = facts.isProtected() ? RetentionDecider.NEVER : RetentionDecider.dueAtMs(facts, policy);
        boolean isHidden = context.map(known -> known.isHidden(event, policy, policies.isHeld(stream), now))
                .orElse(RetentionDecider.isDue(facts, policy, now));
        return new ReadEvent(event, dueAt, isHidden);
    }

    static boolean hasStatus(StoredEvent event, @Nullable String wanted) {
        String status = event.event().status();
        return wanted == null || wanted.equalsIgnoreCase(status == null ? "" : status);
    }

    /** What the names begin with; null if no name can. Streams of the default namespace have no prefix in common. */
    private static @Nullable String prefixOf(StreamQuery query) {
        String namespace = query.namespace();
        if (namespace == null || namespace.equals(StreamName.DEFAULT_NAMESPACE)) {
            return query.prefix();
        }
        String ofNamespace = namespace + "/";
        if (ofNamespace.startsWith(query.prefix())) {
            return ofNamespace;
        }
        return query.prefix().startsWith(ofNamespace) ? query.prefix() : null;
    }

    private static boolean isIn(@Nullable String namespace, StreamUsage usage) {
        return namespace == null || namespace.equals(usage.stream().namespace());
    }
}
