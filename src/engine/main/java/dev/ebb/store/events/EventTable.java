package dev.ebb.store.events;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.RemovalCause;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.events.HeadWalk.Candidate;
import dev.ebb.store.gather.EventLog;
import dev.ebb.store.gather.EventLog.Known;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.EventKeys;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Range;
import dev.ebb.store.layout.StoredEventCodec;
import dev.ebb.store.state.NamespaceCounts;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The events of a partition: writes an event where its stream's policy wants it, and removes it. The store beneath
 * keeps each event's index entries, which {@code EventIndexes} derives, together with the event. Counts go to the
 * stream. Not thread-safe.
 */
public final class EventTable {

    /**
     * The execution that keys assume for events of a numbered execution: completed at time 0. Under the anchor {@code
     * completed} this is the earliest possible time, so no deadline in a key lies later than the true one, whenever the
     * execution ends.
     */
    private static final Execution COMPLETED_AT_0 = new Execution(0, "", true, null, 0L);

    private final KeyValueStore<Bytes, byte[]> store;
    private final EventLog log;
    private final NamespaceCounts namespaces;
    private final StaleWork stale;

    private final List<WriteWatch> watches = new ArrayList<>();

    /** The nesting depth of changes of several writes that have begun and not ended. */
    private int writing;

    public EventTable(KeyValueStore<Bytes, byte[]> store, NamespaceCounts namespaces, StaleWork stale) {
        this.store = store;
        this.log = EventLog.of(store);
        this.namespaces = namespaces;
        this.stale = stale;
    }

    public KeyValueStore<Bytes, byte[]> store() {
        return store;
    }

    /** Returns the log to which all changes of events go. */
    public EventLog log() {
        return log;
    }

    /**
     * Begins a change of several writes. A failure before {@link #endWriting} leaves half of the change in the stores.
     */
    public void beginWriting() {
        writing++;
    }

    /** Ends a change: all its writes are done. */
    public void endWriting() {
        writing--;
    }

    public boolean isWriting() {
        return writing > 0;
    }

    public @Nullable Location locationOf(StreamState stream, String id) {
        byte[] value = store.get(EventKeys.byId(Range.IDS, stream.sid(), id));
        return value == null ? null : Location.decode(value);
    }

    public byte[] value(StreamState stream, Location location, String id) {
        byte[] value = store.get(location.key(stream.sid(), id));
        if (value == null) {
            throw new IllegalStateException("the id index names an event that is not there");
        }
        return value;
    }

    /**
     * Returns the place of an event under its stream's policy.
     *
     * @param protectedSinceMs the time since which the event is protected, epoch milliseconds; of no meaning for other
     *     events
     */
    public Location locate(Segment segment, EventHeader event, long protectedSinceMs) {
        if (event.isProtected()) {
            Position position = new Position(event.execution(), protectedSinceMs, event.seq());
            return new Location(Range.PINNED, position, Location.NO_DUE, event.sizeBytes());
        }
        EffectivePolicy policy = segment.stream().policy();
        EventFacts facts = segment.isCompletedAsOne() ? new ExecutedEvent(event, COMPLETED_AT_0) : event;
        Position position =
                new Position(event.execution(), facts.anchorMs(policy.anchor().value()), event.seq());
        if (event.ttl().isFinite()) {
            EventFacts known = segment.execution().isTerminal() ? segment.facts(event) : facts;
            long due = RetentionDecider.removableAtMs(known, policy);
            return new Location(Range.TIMED, position, due, event.sizeBytes());
        }
        boolean isEndless = event.ttl().noExpiration();
        boolean isInfinite = isEndless && policy.allowInfiniteTtl().value();
        Range range = isInfinite ? Range.INFINITE : Range.ORDERED;
        return new Location(range, position, Location.NO_DUE, event.sizeBytes(), isEndless && !isInfinite);
    }

    /**
     * Returns true if another event lies at the location. Keys never meet as long as numbers in the order of arrival
     * are given once, so this guards what comes from outside the store, or may be damaged. It costs a read.
     */
    public boolean isTaken(StreamState stream, Location location, String id) {
        byte[] value = location.range().isPositional() ? store.get(location.key(stream.sid(), id)) : null;
        return value != null && !isOf(id, value);
    }

    private static boolean isOf(String id, byte[] value) {
        try {
            return StoredEventCodec.decodeHeader(value).id().equals(id);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | IllegalStateException e) {
            // A damaged event is not replaced by another one either.
            return false;
        }
    }

    /** Returns true if the position of an event that comes back is taken in any range in which the event may lie. */
    public boolean isTaken(Segment segment, EventHeader event, long nowMs) {
        Position position = locate(segment, event, nowMs).position();
        return Range.OF_EVENTS.stream()
                .map(range -> new Location(range, position, Location.NO_DUE, event.sizeBytes()))
                .anyMatch(location -> isTaken(segment.stream(), location, event.id()));
    }

    /** Writes an event to its place and removes it from its former place. */
    public void place(Segment segment, StoredEvent stored, long sizeBytes, @Nullable Found before, long nowMs) {
        byte[] value = StoredEventCodec.encode(stored, sizeBytes);
        EventHeader header = EventHeader.of(stored, sizeBytes);
        Location old = before == null ? null : before.location();
        long sinceMs =
                old != null && old.range() == Range.PINNED ? old.position().anchorMs() : nowMs;
        write(segment, header, locate(segment, header, sinceMs), value, before, false);
    }

    /** Moves an event, which stays as it is, to another place. */
    public void move(Segment segment, EventHeader event, Location location, byte[] value, Found before) {
        write(segment, event, location, value, before, true);
    }

    private void write(
            Segment segment,
            EventHeader event,
            Location location,
            byte[] value,
            @Nullable Found before,
            boolean isSame) {
        StreamState stream = segment.stream();
        String id = event.id();
        Bytes key = location.key(stream.sid(), id);
        Known known = Known.NOT_AT_ALL;
        if (before != null) {
            Known former = takeAway(before, event, key);
            known = isSame || former == Known.NOT_AT_ALL ? former : Known.AS_IT_WAS;
            stream.revise();
        }
        if (before != null && !stream.hasRows() && stream.isMoving()) {
            // The move that takes the rows away may not come past the event any more.
            log.removeRow(stream.stream(), Instant.ofEpochMilli(event.storedAt()), id);
        }
        log.put(stream.hasRows() ? stream.stream() : null, key, location.mark(value), known);
        noteWait(stream, location, 1);
        count(segment, event, location, 1);
        segment.headsForInsert().include(location);
        if (!watches.isEmpty()) {
            watches.forEach(watch -> watch.written(stream, id, value));
        }
    }

    /** Logs an event that stays where it is as one with a row in SQL, or takes its row away, as its stream wants (F-13). */
    public void renewRow(StreamState stream, EventHeader event, Location location, byte[] value) {
        if (stream.hasRows()) {
            log.show(stream.stream(), location.key(stream.sid(), event.id()), value);
        } else {
            log.removeRow(stream.stream(), Instant.ofEpochMilli(event.storedAt()), event.id());
        }
    }

    /** Receives each event that is written, wherever it lay before. */
    @FunctionalInterface
    public interface WriteWatch {

        void written(StreamState stream, String id, byte[] value);
    }

    /** Reports all writes from now on to the watch. */
    public void watch(WriteWatch watch) {
        watches.add(watch);
    }

    public void unwatch(WriteWatch watch) {
        watches.remove(watch);
    }

    /** Removes an event with all its index entries; a shadow only counts. */
    public void remove(Segment segment, EventHeader event, Location location) {
        StreamState stream = segment.stream();
        if (stream.isShadow()) {
            stream.add(segment, location, -1);
            return;
        }
        StreamName withRows = stream.mayHaveRows() ? stream.stream() : null;
        log.remove(withRows, location.key(stream.sid(), event.id()), event.storedAt(), event.id());
        noteWait(stream, location, -1);
        count(segment, event, location, -1);
    }

    /** Removes an event and reports it to the listener. */
    public void remove(Segment segment, Candidate candidate, RemovalCause cause, RemovalListener listener) {
        EventHeader event = candidate.event();
        StreamState stream = segment.stream();
        Location location = candidate.location();
        beginWriting();
        remove(segment, event, location);
        listener.removed(stream, Removed.of(segment, event, cause, candidate.value()));
        endWriting();
    }

    /**
     * Removes the former event before the new one is written: index entries go with their event, and the entries of the
     * new event must stay. Returns the knowledge that readers have of the former event.
     */
    private Known takeAway(Found before, EventHeader after, Bytes newKey) {
        Segment segment = before.segment();
        StreamState stream = segment.stream();
        Location old = before.location();
        Bytes oldKey = old.key(stream.sid(), after.id());
        Known known = Known.AS_IT_IS;
        if (before.event().storedAt() != after.storedAt()) {
            // Readers tell events by the time of their arrival: another one takes the place of the former.
            StreamName withRows = stream.mayHaveRows() ? stream.stream() : null;
            log.remove(withRows, oldKey, before.event().storedAt(), after.id());
            known = Known.NOT_AT_ALL;
        } else if (!oldKey.equals(newKey)) {
            known = log.leave(oldKey);
        }
        noteWait(stream, old, -1);
        count(segment, before.event(), old, -1);
        return known;
    }

    private void noteWait(StreamState stream, Location location, int sign) {
        if (location.range() == Range.PINNED) {
            stale.pinned(stream.sid(), location.position().anchorMs(), sign);
        }
    }

    /** Forgets the waiting events of a stream that no longer holds anything. */
    public void forgetWaits(int sid) {
        stale.forget(sid);
    }

    private void count(Segment segment, EventHeader event, Location location, int sign) {
        StreamState stream = segment.stream();
        stream.add(segment, location, sign);
        stream.note(segment, event, location, sign);
        stream.noteCompletion(segment, event.completedAt(), sign);
        namespaces.add(segment, location, sign);
    }
}
