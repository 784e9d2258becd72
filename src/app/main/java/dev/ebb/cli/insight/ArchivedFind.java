package dev.ebb.cli.insight;

import dev.ebb.cli.client.Json;
import dev.ebb.cli.client.RestApi;
import dev.ebb.cli.client.RestPath;
import dev.ebb.cli.outcome.CommandFailure;
import dev.ebb.cli.terminal.Texts;
import dev.ebb.wire.history.ArchiveView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Archived events that were found, by stream; of each event the last copy. Another thread may ask for their number. */
final class ArchivedFind {

    private static final int PAGE = 1000;

    /** Most events that are kept; each takes a few dozen bytes. */
    private static final int MOST = 1_000_000;

    private final Map<String, List<String>> records = new TreeMap<>();
    private final AtomicInteger size = new AtomicInteger();

    /** Returns the number of events that were found. */
    int size() {
        return size.get();
    }

    /** Returns the records by stream, in the order of deletion. */
    Map<String, List<String>> records() {
        return records;
    }

    /**
     * Reads all pages, the last deleted event first.
     *
     * @throws CommandFailure if there are too many events to keep
     */
    void read(RestApi api, Supplier<RestPath> path) {
        Map<String, Set<String>> ids = new TreeMap<>();
        String after = null;
        do {
            ArchiveView.Page page =
                    Json.as(api.get(path.get().with("limit", PAGE).with("after", after)), ArchiveView.Page.class);
            page.archived().forEach(event -> add(event, ids));
            after = page.next();
        } while (after != null);
        records.values().forEach(Collections::reverse);
    }

    private void add(ArchiveView event, Map<String, Set<String>> ids) {
        String stream = event.stream();
        boolean isNew = ids.computeIfAbsent(stream, name -> new HashSet<>()).add(event.id());
        if (isNew) {
            if (size.get() == MOST) {
                throw CommandFailure.usage("more than " + Texts.count(MOST)
                        + " events match; take them in parts, with --stream, --namespace or --from and --to");
            }
            records.computeIfAbsent(stream, name -> new ArrayList<>()).add(event.record());
            size.incrementAndGet();
        }
    }
}
