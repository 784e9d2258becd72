package dev.ebb.bench.stack.sql;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Rows that come and rows that go, so that the newest rows are left in the end. In turn: the row of each event is
 * written, and the row of an event a fixed number before it is deleted. In runs: the rows of many events are written, and
 * those of as many events before them deleted, stream by stream. Immutable.
 */
public final class MirrorChanges {

    /** Number of rows that exist while others come and go. */
    private static final int LIVING = 20_000;

    /** Streams whose runs have about 1000 rows each. */
    private static final int STREAMS_IN_RUNS = LIVING / 1000;

    private final Workload workload;
    private final int living;
    private final boolean inRuns;

    /** @param changes approximate number of upserts and deletes together */
    public MirrorChanges(long seed, int changes, int partitions, boolean inRuns) {
        int events = Math.max(1, changes / 2);
        int streams = inRuns ? STREAMS_IN_RUNS : 1000;
        workload = new Workload(seed, events, streams, partitions, System.currentTimeMillis(), Mix.PLAIN);
        living = Math.min(LIVING, (events + 1) / 2);
        this.inRuns = inRuns;
    }

    /**
     * One change.
     *
     * @param isDelete true if the row of the event is deleted
     */
    public record Change(StoredEvent event, boolean isDelete) {}

    public List<Change> all() {
        List<Change> changes = new ArrayList<>();
        List<StoredEvent> events = events();
        if (inRuns) {
            for (int from = 0; from < events.size(); from += living) {
                part(events, from).forEach(event -> changes.add(new Change(event, false)));
                part(events, from - living).stream()
                        .sorted(Comparator.comparing(
                                event -> event.event().stream().value()))
                        .forEach(event -> changes.add(new Change(event, true)));
            }
            return changes;
        }
        for (int i = 0; i < events.size(); i++) {
            changes.add(new Change(events.get(i), false));
            if (i >= living) {
                changes.add(new Change(events.get(i - living), true));
            }
        }
        return changes;
    }

    private List<StoredEvent> part(List<StoredEvent> events, int from) {
        return events.subList(Math.max(0, from), Math.max(0, Math.min(events.size(), from + living)));
    }

    /**
     * Returns the changes in order, divided into this number of parts, each with whole partitions. Neighbouring
     * partitions are together, as Connect assigns them to tasks.
     */
    public List<List<Change>> parts(int count) {
        List<List<Change>> parts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            parts.add(new ArrayList<>());
        }
        for (Change change : all()) {
            int partition = StreamPartition.of(change.event().event().stream(), workload.partitions());
            parts.get(partition * count / workload.partitions()).add(change);
        }
        return parts;
    }

    /**
     * The rows that are left after all changes.
     *
     * @param sinceMs the {@code storedAt} of the oldest row, epoch milliseconds
     */
    public record Left(Contents contents, long sinceMs) {}

    public Left left() {
        List<StoredEvent> events = events();
        int first = inRuns ? (events.size() - 1) / living * living : events.size() - living;
        List<StoredEvent> newest = part(events, first);
        Contents contents =
                newest.stream().map(stored -> Contents.of(stored.event())).reduce(Contents.NONE, Contents::plus);
        return new Left(contents, newest.get(0).storedAt());
    }

    /** Returns events stored a millisecond apart, so that each has a key of its own. */
    private List<StoredEvent> events() {
        List<StoredEvent> events = new ArrayList<>();
        workload.generator().forEachRemaining(next -> {
            Event event = next.event();
            long storedAt = workload.endMs() - workload.events() + events.size();
            events.add(new StoredEvent(event.withCompletedAt(storedAt), storedAt, events.size(), false));
        });
        return events;
    }
}
