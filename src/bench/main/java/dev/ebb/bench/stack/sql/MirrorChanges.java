package dev.ebb.bench.stack.sql;

import dev.ebb.bench.harness.Contents;
import dev.ebb.bench.load.Mix;
import dev.ebb.bench.load.Workload;
import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.topology.wire.StreamPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that come and rows that go, in turn: the row of each event is written, and the row of an event a fixed number
 * before it is deleted, so that the newest rows are left in the end. Immutable.
 */
public final class MirrorChanges {

    /** Number of rows that exist while others come and go. */
    private static final int LIVING = 20_000;

    private final Workload workload;
    private final int living;

    /** @param changes approximate number of upserts and deletes together */
    public MirrorChanges(long seed, int changes, int partitions) {
        int events = Math.max(1, changes / 2);
        workload = new Workload(seed, events, 1000, partitions, System.currentTimeMillis(), Mix.PLAIN);
        living = Math.min(LIVING, (events + 1) / 2);
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
        for (int i = 0; i < events.size(); i++) {
            changes.add(new Change(events.get(i), false));
            if (i >= living) {
                changes.add(new Change(events.get(i - living), true));
            }
        }
        return changes;
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
        List<StoredEvent> newest = events.subList(Math.max(0, events.size() - living), events.size());
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
