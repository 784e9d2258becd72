package dev.ebb.runtime.forecast;

import dev.ebb.port.forecast.ForecastQueries.DueStream;
import dev.ebb.port.forecast.ForecastQueries.Place;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Keeps the first few of many streams behind a place. Not thread-safe. */
final class DuePage {

    private static final Comparator<DueStream> FIRST = Comparator.comparing(DuePage::placeOf);

    private final @Nullable Place after;
    private final int limit;
    private final PriorityQueue<DueStream> lastFirst = new PriorityQueue<>(FIRST.reversed());

    /**
     * @param after the last stream of the previous page; null for the first page
     * @param limit the maximum number of streams of the page
     */
    DuePage(@Nullable Place after, int limit) {
        this.after = after;
        this.limit = limit;
    }

    void add(DueStream stream) {
        if (after != null && placeOf(stream).compareTo(after) <= 0) {
            return;
        }
        lastFirst.add(stream);
        if (lastFirst.size() > limit) {
            lastFirst.remove();
        }
    }

    /** Returns the streams of the page, in their order. */
    List<DueStream> streams() {
        return lastFirst.stream().sorted(FIRST).toList();
    }

    private static Place placeOf(DueStream stream) {
        return new Place(stream.due().events(), stream.stream().value());
    }
}
