package dev.ebb.runtime.erase;

import dev.ebb.domain.erase.EraseRest.Rejected;
import dev.ebb.domain.erase.EraseRest.Unread;
import dev.ebb.runtime.kafka.PartitionReading;
import dev.ebb.topology.observe.Copies;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Searches on several topics as one. */
record JoinedSearch(List<CopySearch> searches, RejectedSearch rejectedSearch) implements Copies.Search {

    @Override
    public List<Copies.Copy> take(int most) {
        return searches.stream()
                .map(search -> search.take(most))
                .filter(found -> !found.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    @Override
    public boolean isDone() {
        return searches.stream().allMatch(CopySearch::isDone) && rejectedSearch.isDone();
    }

    @Override
    public @Nullable String problem() {
        return Stream.concat(searches.stream(), Stream.of(rejectedSearch))
                .map(PartitionReading::problem)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<Unread> unread() {
        return searches.stream().flatMap(search -> search.unread().stream()).toList();
    }

    @Override
    public List<Rejected> rejected() {
        return rejectedSearch.found();
    }

    @Override
    public void close() {
        searches.forEach(CopySearch::close);
        rejectedSearch.close();
    }
}
