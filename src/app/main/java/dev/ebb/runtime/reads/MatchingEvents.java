package dev.ebb.runtime.reads;

import dev.ebb.api.http.Audience;
import dev.ebb.domain.BadCursorException;
import dev.ebb.domain.erase.EventCondition;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.port.EventQueries.FoundPage;
import dev.ebb.port.EventQueries.SearchMark;
import dev.ebb.port.EventQueries.SearchQuery;
import dev.ebb.port.NotReadyException;
import dev.ebb.port.OtherInstanceException;
import dev.ebb.port.ReadEvent;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.layout.EventSieve;
import dev.ebb.store.read.StreamContext;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One page of a search for events by what they say: partition after partition, until the page is full or has taken long
 * enough. At least one event is looked at. Leaves out events that are due (M-17), unless they are asked for. Used once.
 */
final class MatchingEvents {

    /** Size of events at which the page ends, with the event that reaches it. */
    private static final long PAGE_BYTES = 8L << 20;

    private final PartitionStores stores;
    private final int partitions;
    private final PolicySet policies;
    private final SearchQuery query;
    private final long nowMs;
    private final BooleanSupplier hasTime;
    private final EventSieve sieve;
    private final List<ReadEvent> found = new ArrayList<>();
    private long bytes;
    private long looks;

    /** @param hasTime false once the page has taken long enough */
    MatchingEvents(
            PartitionStores stores,
            int partitions,
            PolicySet policies,
            SearchQuery query,
            long nowMs,
            BooleanSupplier hasTime) {
        this.stores = stores;
        this.partitions = partitions;
        this.policies = policies;
        this.query = query;
        this.nowMs = nowMs;
        this.hasTime = hasTime;
        this.sieve = new EventSieve(query.where());
    }

    /** @throws BadCursorException if the mark of the query is none of a page */
    FoundPage page() {
        return new FoundPage(found, search());
    }

    private @Nullable SearchMark search() {
        StreamName only = sieve.onlyStream();
        SearchMark from = query.from();
        int first = only == null ? from.partition() : StreamPartition.of(only, partitions);
        int last = only == null ? partitions - 1 : first;
        if (from.partition() >= partitions) {
            throw new BadCursorException();
        }
        @Nullable String cursor = from.cursor();
        for (int partition = first; partition <= last; partition++) {
            SearchMark here = new SearchMark(partition, cursor);
            if (partition > first && !goesOn()) {
                return here;
            }
            try {
                cursor = search(here);
            } catch (OtherInstanceException | NotReadyException e) {
                if (partition == first) {
                    throw e;
                }
                return here;
            }
            if (cursor != null) {
                return new SearchMark(partition, cursor);
            }
        }
        return null;
    }

    /** Returns the place in the partition up to which it has looked; null if there is nothing more. */
    private @Nullable String search(SearchMark from) {
        String[] end = {null};
        stores.read(from.partition(), store -> {
            end[0] = store.search(sieve, from.cursor(), this::goesOn, this::add);
            return found;
        });
        return end[0];
    }

    private void add(StreamContext stream, StoredEvent event) {
        String namespace = query.namespace();
        boolean isMeant = namespace == null || stream.stream().namespace().equals(namespace);
        // The sieve lets events of any source through.
        if (!isMeant || !EventCondition.areAllMetBy(event.event(), query.where())) {
            return;
        }
        ReadEvent seen = new ListedEvents(stream, policies, nowMs).view(event);
        if (query.includeExpired() || !seen.isExpired()) {
            found.add(seen);
            bytes += event.event().sizeBytes();
        }
    }

    /** Ends the work if its caller has gone. */
    private boolean goesOn() {
        Audience.require();
        return looks++ == 0 || (found.size() < query.limit() && bytes < PAGE_BYTES && hasTime.getAsBoolean());
    }
}
