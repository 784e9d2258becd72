package dev.ebb.port.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of history, newest first.
 *
 * @param items possibly fewer than requested, even none, although more follow: a long search stops after a while
 * @param next the cursor for the next page; null if this is the last one
 */
public record HistoryPage<T>(List<T> items, @Nullable String next) {

    public HistoryPage {
        items = List.copyOf(items);
    }
}
