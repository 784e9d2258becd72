package dev.ebb.simulation;

import dev.ebb.domain.event.EventId;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.model.RetentionModelStream;
import dev.ebb.model.RetentionModelStream.Kept;
import dev.ebb.store.EventStore;
import dev.ebb.store.StoreProbe;
import dev.ebb.store.read.ReadOnlyEventStore;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.wire.StreamPartition;
import java.util.Set;
import java.util.TreeSet;

/** What readers see (M-17): all that is stored and not due, each event once, on any page. Not thread-safe. */
final class ReaderLaw {

    private final World world;
    private final Task task;

    ReaderLaw(World world, Task task) {
        this.world = world;
        this.task = task;
    }

    /** Compares what a reader on this instance sees of an event and of a stream, at any moment. */
    boolean read(StreamName name, EventId id, int pageSize) {
        EventStore store = task.store();
        if (store == null || StreamPartition.of(name, world.topics.partitions()) != task.partition) {
            return false;
        }
        task.shadow.model.policies(task.instance().policies.current());
        ReadOnlyEventStore reader = new ReadOnlyEventStore(task.events(), task.usage());
        RetentionModelStream stream = task.shadow.stream(name.value());
        Kept kept = stream == null ? null : stream.events.get(id.value());
        StoredEvent found = reader.find(name, id).orElse(null);
        if ((kept == null) != (found == null)) {
            throw new Violation("M-17 find", name + "|" + id + (found == null ? " is not found" : " is found"));
        }
        StreamState state = store.glance(name);
        if (stream == null || state == null || !StoreProbe.isSaved(state, task.usageRecords())) {
            return true;
        }
        list(reader, name, stream, pageSize);
        return true;
    }

    private void list(ReadOnlyEventStore reader, StreamName name, RetentionModelStream stream, int pageSize) {
        Instance instance = task.instance();
        var policies = instance.views.current().policies();
        long nowMs = task.instance().trustedMs();
        var context = reader.context(name).orElseThrow();
        Set<String> seen = new TreeSet<>();
        String cursor = null;
        do {
            var page = reader.list(name, cursor, pageSize);
            for (StoredEvent event : page.events()) {
                if (!context.isHidden(event, policies.effective(name), policies.isHeld(name), nowMs)
                        && !seen.add(event.event().id().value())) {
                    throw new Violation(
                            "M-17 list", name + " lists " + event.event().id() + " twice");
                }
            }
            cursor = page.nextCursor();
        } while (cursor != null);
        Set<String> expected = new TreeSet<>();
        for (Kept kept : stream.events.values()) {
            if (!task.shadow.model.isHidden(kept, nowMs)) {
                expected.add(kept.id);
            }
        }
        if (!seen.equals(expected)) {
            throw new Violation(
                    "M-17 list",
                    name + " shows " + seen + ", must show " + expected + " of " + stream.events.keySet() + " by "
                            + task.shadow.model.policies().rules(name.value()));
        }
    }
}
