package dev.ebb.runtime.erase;

import dev.ebb.domain.erase.EraseRest.Unread;
import dev.ebb.topology.observe.Copies;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Searches on several topics as one. */
record JoinedSearch(List<CopySearch> searches) implements Copies.Search {

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
        return searches.stream().allMatch(CopySearch::isDone);
    }

    @Override
    public @Nullable String problem() {
        return searches.stream()
                .map(CopySearch::problem)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<Unread> unread() {
        return searches.stream().flatMap(search -> search.unread().stream()).toList();
    }

    @Override
    public void close() {
        searches.forEach(CopySearch::close);
    }
}
