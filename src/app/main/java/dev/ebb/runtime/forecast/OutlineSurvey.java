package dev.ebb.runtime.forecast;

import dev.ebb.domain.event.StreamName;
import dev.ebb.port.UnavailableException;
import dev.ebb.runtime.streams.PartitionStores;
import dev.ebb.store.read.OutlineBudget;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.read.StreamContext;
import dev.ebb.store.read.StreamOutline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Surveys the records of all streams of this instance, and takes a closer look at a few streams each time: the longest
 * ones, whose events are spread the furthest, and as many short ones as fit into the rest of the budget. A stream that
 * has not changed since its closer look is not looked at again, so each survey makes the picture finer.
 *
 * @param local the partitions that this instance has
 * @param isAbandoned returns true once the result is no longer wanted
 * @param mostStreams the most streams of this instance of which there are outlines
 */
record OutlineSurvey(
        PartitionStores stores, Supplier<Collection<Integer>> local, BooleanSupplier isAbandoned, long mostStreams) {

    /**
     * Maximum number of events that a survey reads for closer looks; with the time limit, a small part of a core while
     * people look.
     */
    static final long EVENTS = 60_000;

    static final Duration CLOSER_LOOK = Duration.ofMillis(120);

    /** @throws UnavailableException if there are too many streams */
    Outlines survey(Outlines before, long nowMs) {
        Map<Integer, List<StreamOutline>> found = new TreeMap<>();
        long left = mostStreams;
        for (int partition : local.get()) {
            List<StreamOutline> known = before.byPartition().getOrDefault(partition, List.of());
            long room = left;
            stores.show(partition, store -> found.put(partition, look(store, known, room)));
            left -= found.getOrDefault(partition, List.of()).size();
        }
        lookCloser(found);
        return new Outlines(found, nowMs);
    }

    /** Returns outlines of all streams, in the order of their names. */
    private List<StreamOutline> look(ReadOnlyEventStore store, List<StreamOutline> known, long room) {
        Map<StreamName, StreamOutline> before = new HashMap<>(known.size() * 2);
        known.forEach(outline -> before.put(outline.stream(), outline));
        List<StreamOutline> outlines = new ArrayList<>(known.size());
        for (StreamContext stream : store.contexts(null, null)) {
            if (isAbandoned.getAsBoolean()) {
                break;
            }
            if (outlines.size() == room) {
                throw new UnavailableException(String.format(
                        Locale.ROOT,
                        "the heap of this instance has room for a forecast of %,d streams, and it has more of them;"
                                + " give it a larger heap, or start another instance",
                        mostStreams));
            }
            outlines.add(stream.outline(before.get(stream.stream()), null));
        }
        return outlines;
    }

    private record Place(int partition, int index, long events) {}

    /** Spends half of the budget on the longest streams, the rest on the shortest ones. */
    private void lookCloser(Map<Integer, List<StreamOutline>> found) {
        List<Place> coarse = new ArrayList<>();
        found.forEach((partition, outlines) -> {
            for (int i = 0; i < outlines.size(); i++) {
                if (!outlines.get(i).isFine()) {
                    coarse.add(new Place(partition, i, outlines.get(i).events()));
                }
            }
        });
        coarse.sort(Comparator.comparingLong(Place::events));
        long middle = System.nanoTime() + CLOSER_LOOK.toNanos() / 2;
        OutlineBudget first = new OutlineBudget(EVENTS / 2, middle, isAbandoned);
        int longest = coarse.size();
        while (longest > 0 && !first.isSpent()) {
            longest--;
            look(coarse.get(longest), found, first);
        }
        OutlineBudget second = new OutlineBudget(EVENTS / 2, middle + CLOSER_LOOK.toNanos() / 2, isAbandoned);
        for (int i = 0; i < longest && !second.isSpent(); i++) {
            look(coarse.get(i), found, second);
        }
    }

    private void look(Place place, Map<Integer, List<StreamOutline>> found, OutlineBudget budget) {
        List<StreamOutline> outlines = found.getOrDefault(place.partition(), List.of());
        StreamOutline known = outlines.get(place.index());
        // If the partition has just gone, its outlines are a moment old.
        stores.show(place.partition(), store -> store.context(known.stream())
                .ifPresent(stream -> outlines.set(place.index(), stream.outline(known, budget))));
    }
}
