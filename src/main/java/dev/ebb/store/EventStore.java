package dev.ebb.store;

import dev.ebb.domain.event.Event;
import dev.ebb.domain.event.EventUpdate;
import dev.ebb.domain.event.OwnTtl;
import dev.ebb.domain.event.StoredEvent;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.retention.SweepBudget;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * Owns the state of one partition: the event, its index entries and its stream's usage change together or not at all
 * . Time and policy come in as arguments. All methods belong to the thread of the task; readers on other threads use
 * {@link ReadOnlyEventStore}.
 *
 * <p>Nothing about policy is stored with an event. What eligible events without an own TTL need is their order alone
 * ({@link Range#ORDERED}), so a new policy changes nothing but the time at which a stream's first event falls due. Events
 * with an own TTL stand apart and have their deadlines in {@link Range#DUE}; protected ones and those kept for ever stand
 * where no sweep looks.
 */
public final class EventStore {

    /** The name of the store with the events, see {@link Range}. */
    public static final String EVENTS = "events";

    /** The name of the store with a record for each stream, and one for the task. */
    public static final String USAGE = "usage";

    private static final byte[] NOTHING = new byte[0];

    private final KeyValueStore<Bytes, byte[]> events;
    private final KeyValueStore<Bytes, byte[]> usage;
    private final TerminalStatuses terminalStatuses;
    private final Map<StreamName, StreamState> streams = new HashMap<>();
    private final Set<StreamState> moving = new LinkedHashSet<>();
    private final NamespaceCounts namespaces = new NamespaceCounts();
    private final StreamSweep sweep;
    private final StreamMover mover;
    private TaskRecord task = TaskRecord.FIRST;

    /** The stores are empty or hold what this class wrote; {@link #open} must come first. */
    public EventStore(
            KeyValueStore<Bytes, byte[]> events,
            KeyValueStore<Bytes, byte[]> usage,
            TerminalStatuses terminalStatuses) {
        this.events = events;
        this.usage = usage;
        this.terminalStatuses = terminalStatuses;
        this.sweep = new StreamSweep(this);
        this.mover = new StreamMover(this);
    }

    /** Rebuilds what is kept in memory, from the usage alone; may be called again after a restoration. */
    public void open(PolicySet policies) {
        streams.clear();
        moving.clear();
        namespaces.clear();
        task = TaskRecord.FIRST;
        try (var all = usage.all()) {
            while (all.hasNext()) {
                var entry = all.next();
                if (TaskRecord.KEY.equals(entry.key)) {
                    task = TaskRecord.decode(entry.value);
                } else {
                    remember(decode(entry.key, entry.value, policies));
                }
            }
        }
    }

    /** All streams that hold events, in no particular order; a live view. */
    public Collection<StreamState> streams() {
        return streams.values();
    }

    /** The stream; null if it holds nothing. */
    public @Nullable StreamState stream(StreamName stream) {
        return streams.get(stream);
    }

    /** What the namespaces of this partition hold. */
    public Map<String, NamespaceTotals> namespaceTotals() {
        return namespaces.snapshot();
    }

    /** What the event would make of the store. */
    public Arrival prepare(Event event, long timestampMs, long nowMs, PolicySet policies) {
        StreamState stream = streams.get(event.stream());
        EffectivePolicy policy = stream == null ? policies.effective(event.stream()) : stream.policy();
        Location old = stream == null ? null : locationOf(stream, event.id().value());
        EventHeader before = old == null
                ? null
                : header(Objects.requireNonNull(stream), old, event.id().value());
        boolean isDisplacing = before != null && RetentionDecider.isDue(before, policy, nowMs);
        EventHeader kept = isDisplacing ? null : before;
        StoredEvent stored = stored(event, timestampMs, nowMs, kept, stream);
        return new Arrival(stored, stored.sizeBytes(), policy, isDisplacing ? before : null, old == null, stream, old);
    }

    /** What the update would make of the store; empty if a reader would not see the event that it is for (M-2). */
    public Optional<Arrival> prepare(EventUpdate update, long timestampMs, long nowMs) {
        StreamState stream = streams.get(update.stream());
        Location old = stream == null ? null : locationOf(stream, update.id().value());
        if (stream == null || old == null) {
            return Optional.empty();
        }
        StoredEvent before = StoredEventCodec.decode(
                stream.stream(), value(stream, old, update.id().value()));
        if (RetentionDecider.isDue(before, stream.policy(), nowMs)) {
            return Optional.empty();
        }
        StoredEvent stored = updated(before, update, timestampMs);
        return Optional.of(new Arrival(stored, stored.sizeBytes(), stream.policy(), null, false, stream, old));
    }

    /** Writes what was prepared; nothing may have changed in between. */
    public StreamState put(Arrival arrival) {
        StoredEvent stored = arrival.event();
        StreamState stream = arrival.stream();
        if (stream == null) {
            stream = create(stored.event().stream(), arrival.policy());
        }
        place(stream, stored, arrival.sizeBytes(), arrival.old());
        stream.nextSeq = Math.max(stream.nextSeq, stored.seq() + 1);
        stream.lastStoredAt = Math.max(stream.lastStoredAt, stored.storedAt());
        save(stream);
        return stream;
    }

    /** Gives the stream another policy; its events are moved in slices if their keys depend on what changed. */
    public void changePolicy(StreamState stream, EffectivePolicy policy) {
        stream.setPolicy(policy);
        if (mover.begin(stream, arrangement(policy))) {
            noteMoving(stream);
            save(stream);
        }
    }

    /**
     * Moves events of the stream into the arrangement that its policy asks for.
     *
     * @param reclassified is told of each event that another set of terminal statuses has made protected or terminal
     * @return whether the move is done; false if the budget ended it
     */
    public boolean move(StreamState stream, long nowMs, SweepBudget budget, Consumer<StoredEvent> reclassified) {
        boolean isDone = mover.advance(stream, nowMs, budget, reclassified);
        noteMoving(stream);
        save(stream);
        return isDone;
    }

    /**
     * Removes what age and own TTLs take from the stream.
     *
     * @return whether nothing more is due; false if the budget ended it
     */
    public boolean removeDue(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        boolean isDone = sweep.removeDue(stream, nowMs, budget, listener);
        settle(stream);
        return isDone;
    }

    /**
     * Removes what the caps take from the stream, oldest first.
     *
     * @return whether nothing more can go; false if the budget ended it
     */
    public boolean removeOverCap(StreamState stream, long nowMs, SweepBudget budget, RemovalListener listener) {
        boolean isDone = sweep.removeOverCap(stream, nowMs, budget, listener);
        settle(stream);
        return isDone;
    }

    /** The queue of records that cannot be taken in yet. */
    public ParkedRecords parked() {
        return new ParkedRecords(this, events);
    }

    TaskRecord task() {
        return task;
    }

    void saveTask(TaskRecord newTask) {
        task = newTask;
        usage.put(TaskRecord.KEY, task.encode());
    }

    KeyValueStore<Bytes, byte[]> events() {
        return events;
    }

    Arrangement arrangement(EffectivePolicy policy) {
        return Arrangement.of(policy, terminalStatuses.fingerprint());
    }

    boolean isTerminal(@Nullable String status) {
        return terminalStatuses.isTerminal(status);
    }

    @Nullable
    Location locationOf(StreamState stream, String id) {
        byte[] value = events.get(EventKeys.byId(Range.IDS, stream.sid, id));
        return value == null ? null : Location.decode(value);
    }

    /** Where an event belongs under the stream's policy. */
    Location locate(StreamState stream, EventHeader event) {
        EffectivePolicy policy = stream.policy();
        if (event.isProtected()) {
            Position position = new Position(event.execution(), 0, event.seq());
            return new Location(Range.PINNED, position, Location.NO_DUE, event.sizeBytes());
        }
        long anchorMs = event.anchorMs(policy.anchor().value());
        Position position = new Position(event.execution(), anchorMs, event.seq());
        if (!event.ttl().isAsked()) {
            return new Location(Range.ORDERED, position, Location.NO_DUE, event.sizeBytes());
        }
        boolean isInfinite =
                event.ttl().noExpiration() && policy.allowInfiniteTtl().value();
        return isInfinite
                ? new Location(Range.INFINITE, position, Location.NO_DUE, event.sizeBytes())
                : new Location(Range.TIMED, position, RetentionDecider.dueAtMs(event, policy), event.sizeBytes());
    }

    /** Writes an event where it belongs and takes it away from where it was. */
    void place(StreamState stream, StoredEvent stored, long sizeBytes, @Nullable Location old) {
        byte[] value = StoredEventCodec.encode(stored, sizeBytes);
        replace(stream, stored.event().id().value(), locate(stream, headerOf(stored, sizeBytes)), value, old);
    }

    void replace(StreamState stream, String id, Location location, byte[] value, @Nullable Location old) {
        Bytes key = location.key(stream.sid, id);
        if (old != null) {
            takeAway(stream, id, old, key, location.dueMs());
        }
        plantSentinel(stream, location.range());
        events.put(key, value);
        if (location.hasDue()) {
            plantSentinel(stream, Range.DUE);
            events.put(EventKeys.due(stream.sid, location.dueMs(), location.position()), NOTHING);
        }
        if (!location.equals(old)) {
            events.put(EventKeys.byId(Range.IDS, stream.sid, id), location.encode());
        }
        count(stream, location);
        stream.headsForInsert().include(location);
    }

    /** Removes an event with all its index entries. */
    void remove(StreamState stream, String id, Location location) {
        events.put(location.key(stream.sid, id), null);
        if (location.hasDue()) {
            events.put(EventKeys.due(stream.sid, location.dueMs(), location.position()), null);
        }
        events.put(EventKeys.byId(Range.IDS, stream.sid, id), null);
        uncount(stream, location);
    }

    private void takeAway(StreamState stream, String id, Location old, Bytes newKey, long newDueMs) {
        Bytes oldKey = old.key(stream.sid, id);
        boolean isSameKey = oldKey.equals(newKey);
        if (!isSameKey) {
            events.put(oldKey, null);
        }
        if (old.hasDue() && !(isSameKey && old.dueMs() == newDueMs)) {
            events.put(EventKeys.due(stream.sid, old.dueMs(), old.position()), null);
        }
        uncount(stream, old);
    }

    private void plantSentinel(StreamState stream, Range range) {
        int bit = 1 << range.ordinal();
        if ((stream.sentinels & bit) == 0) {
            stream.sentinels |= bit;
            putSentinel(stream, range, NOTHING);
        }
    }

    private void putSentinel(StreamState stream, Range range, byte @Nullable [] value) {
        events.put(EventKeys.sentinel(range, stream.sid), value);
        events.put(EventKeys.backstop(range, stream.sid), value);
    }

    private void count(StreamState stream, Location location) {
        stream.add(location);
        namespaces.add(stream.stream().namespace(), location, 1);
    }

    private void uncount(StreamState stream, Location location) {
        stream.subtract(location);
        namespaces.add(stream.stream().namespace(), location, -1);
    }

    private StreamState create(StreamName name, EffectivePolicy policy) {
        StreamState stream = new StreamState(name, task.nextSid(), policy, arrangement(policy));
        saveTask(task.withNextSid(task.nextSid() + 1));
        streams.put(name, stream);
        namespaces.addStream(name.namespace(), 1);
        return stream;
    }

    /** A stream lives as long as it holds an event. */
    private void settle(StreamState stream) {
        if (stream.totalEvents() > 0) {
            save(stream);
            return;
        }
        for (Range range : Range.values()) {
            if ((stream.sentinels & 1 << range.ordinal()) != 0) {
                putSentinel(stream, range, null);
            }
        }
        usage.put(keyOf(stream.stream()), null);
        streams.remove(stream.stream());
        moving.remove(stream);
        namespaces.addStream(stream.stream().namespace(), -1);
    }

    private void noteMoving(StreamState stream) {
        if (stream.isMoving()) {
            moving.add(stream);
        } else {
            moving.remove(stream);
        }
    }

    private void save(StreamState stream) {
        usage.put(keyOf(stream.stream()), stream.encode());
    }

    private void remember(StreamState stream) {
        streams.put(stream.stream(), stream);
        noteMoving(stream);
        String namespace = stream.stream().namespace();
        namespaces.addStream(namespace, 1);
        for (Range range : Range.OF_EVENTS) {
            int index = range.ordinalOfEvents();
            namespaces.add(namespace, range, stream.events[index], stream.bytes[index]);
        }
    }

    private StreamState decode(Bytes key, byte[] value, PolicySet policies) {
        StreamName name = new StreamName(new String(key.get(), StandardCharsets.UTF_8));
        EffectivePolicy policy = policies.effective(name);
        StreamState stream = StreamState.decode(name, policy, value);
        mover.begin(stream, arrangement(policy));
        return stream;
    }

    private EventHeader header(StreamState stream, Location location, String id) {
        return StoredEventCodec.decodeHeader(value(stream, location, id));
    }

    byte[] value(StreamState stream, Location location, String id) {
        byte[] value = events.get(location.key(stream.sid, id));
        if (value == null) {
            throw new IllegalStateException("the id index names an event that is not there");
        }
        return value;
    }

    static EventHeader headerOf(StoredEvent stored, long sizeBytes) {
        Event event = stored.event();
        return new EventHeader(
                event.id().value(),
                stored.storedAt(),
                Objects.requireNonNull(event.occurredAt()),
                event.completedAt(),
                event.ttl(),
                stored.isProtected(),
                event.execution(),
                stored.seq(),
                sizeBytes);
    }

    /** M-1: an upsert keeps when the event was stored, its place, and its completion if it names none. */
    private StoredEvent stored(
            Event event, long timestampMs, long nowMs, @Nullable EventHeader kept, @Nullable StreamState stream) {
        boolean isProtected = !terminalStatuses.isTerminal(event.status());
        Long keptCompletion = kept == null ? null : kept.completedAt();
        Long completedAt = isProtected ? null : firstOf(event.completedAt(), keptCompletion, timestampMs);
        Event complete = with(
                event,
                event.status(),
                firstOf(event.occurredAt(), null, timestampMs),
                completedAt,
                event.ttl(),
                event.metadata());
        if (kept != null) {
            return new StoredEvent(complete, kept.storedAt(), kept.seq(), isProtected);
        }
        return stream == null
                ? new StoredEvent(complete, nowMs, 0, isProtected)
                : new StoredEvent(complete, Math.max(nowMs, stream.lastStoredAt), stream.nextSeq, isProtected);
    }

    /** M-2: an update keeps what it does not name. */
    private StoredEvent updated(StoredEvent before, EventUpdate update, long timestampMs) {
        Event event = before.event();
        String status = update.status() == null ? event.status() : update.status();
        boolean isProtected = !terminalStatuses.isTerminal(status);
        Long completedAt = isProtected ? null : firstOf(update.completedAt(), event.completedAt(), timestampMs);
        OwnTtl ttl = update.ttl() == null ? event.ttl() : update.ttl();
        Map<String, String> metadata = update.metadata() == null ? event.metadata() : update.metadata();
        Event changed = with(event, status, event.occurredAt(), completedAt, ttl, metadata);
        return new StoredEvent(changed, before.storedAt(), before.seq(), isProtected);
    }

    static Event with(
            Event event,
            @Nullable String status,
            @Nullable Long occurredAt,
            @Nullable Long completedAt,
            OwnTtl ttl,
            Map<String, String> metadata) {
        return new Event(
                event.stream(),
                event.id(),
                event.type(),
                status == null || status.isEmpty() ? null : status,
                occurredAt,
                completedAt,
                ttl,
                event.execution(),
                event.correlationId(),
                metadata,
                event.contentType(),
                event.payload());
    }

    private static Long firstOf(@Nullable Long first, @Nullable Long second, long last) {
        if (first != null) {
            return first;
        }
        return second != null ? second : (Long) last;
    }

    static Bytes keyOf(StreamName stream) {
        return Bytes.wrap(stream.value().getBytes(StandardCharsets.UTF_8));
    }

    /** The streams whose events are on their way into another arrangement. */
    public List<StreamState> moving() {
        return List.copyOf(moving);
    }

    /** How many streams are on their way into another arrangement. */
    public int movingStreams() {
        return moving.size();
    }

    /** The stream whose name is that Kafka key; null if there is none. */
    public @Nullable StreamState streamOfKey(byte @Nullable [] key) {
        String name = key == null ? "" : new String(key, StandardCharsets.UTF_8);
        return StreamName.problem(name) == null ? streams.get(new StreamName(name)) : null;
    }
}
