package dev.ebb.store.state;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.Retired;
import dev.ebb.store.layout.SavedTree;
import dev.ebb.store.layout.StateFormat;
import dev.ebb.store.layout.StatusesInForce;
import dev.ebb.store.layout.TakenIn;
import dev.ebb.store.layout.TaskRecord;
import dev.ebb.store.layout.UsageKeys;
import dev.ebb.store.notes.Notes;
import dev.ebb.store.parking.ParkedStreams;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/**
 * The streams of one partition and their records in the usage store. It creates a stream with its first event or
 * execution, and forgets it with the last. Not thread-safe.
 *
 * <p>A busy stream changes with each event, and writing its record each time cost 6 % of the time of an event (B-1). So
 * {@link #saveSoon} writes the first change at once, the changes of the following {@link #SAVE_EVERY_MS} together when
 * that time is over, and the rest before the commit: the owner of the table is reminded to call {@link #saveUnsaved} in
 * time.
 */
public final class StreamTable {

    /** The longest time until readers see a burst of events in a stream's counts, in milliseconds. */
    static final int SAVE_EVERY_MS = 100;

    private final KeyValueStore<Bytes, byte[]> usage;
    private final NamespaceCounts namespaces;
    private final StatusesInForce statuses;
    private final @Nullable Runnable remindBeforeCommit;
    private final Map<StreamName, StreamState> streams = new HashMap<>();
    private final NavigableMap<Integer, StreamState> bySid = new TreeMap<>();
    private final Set<StreamState> moving = new LinkedHashSet<>();
    private long movesEnded;
    private final NavigableMap<Integer, StreamState> working = new TreeMap<>();
    private final Set<StreamState> suspects = new LinkedHashSet<>();
    private final NavigableMap<Integer, StreamState> quarantined = new TreeMap<>();
    private final Map<Integer, Retired> retired = new LinkedHashMap<>();
    private final Notes notes;
    private final ParkedStreams parked;
    private final Graves graves;
    private final EndsAhead endsAhead;
    private Set<Segment> unsaved = new LinkedHashSet<>();
    private long savedAtMs;
    private long changes;
    private final TakenIn takenIn;
    private final SavedTree tree;
    private TaskRecord task = TaskRecord.FIRST;

    /**
     * @param graveRetentionMs the lifetime of a grave in milliseconds; 0: no graves
     * @param remindBeforeCommit asks for {@link #saveUnsaved} before the next commit; null if there is no such reminder
     */
    public StreamTable(
            KeyValueStore<Bytes, byte[]> usage,
            NamespaceCounts namespaces,
            StatusesInForce statuses,
            long graveRetentionMs,
            @Nullable Runnable remindBeforeCommit) {
        this.takenIn = new TakenIn(usage);
        this.tree = new SavedTree(usage, remindBeforeCommit);
        this.remindBeforeCommit = remindBeforeCommit;
        this.usage = usage;
        this.notes = new Notes(usage);
        this.parked = new ParkedStreams(usage);
        this.graves = new Graves(usage, graveRetentionMs);
        this.endsAhead = new EndsAhead(graveRetentionMs, EndsAhead.MOST);
        this.namespaces = namespaces;
        this.statuses = statuses;
    }

    /** Reads all records. Records of other kinds sort before all streams. */
    public void open(PolicySet policies) {
        clear();
        StateFormat.claim(usage, "the state of a partition");
        takenIn.open();
        tree.open();
        Map<Integer, Map<Long, byte[]>> executions = new HashMap<>();
        try (KeyValueIterator<Bytes, byte[]> all = usage.all()) {
            while (all.hasNext()) {
                var entry = all.next();
                if (UsageKeys.isStream(entry.key)) {
                    readStream(entry.key, entry.value, policies, executions);
                } else {
                    read(entry.key, entry.value, executions);
                }
            }
        }
        graves.tell(streams);
    }

    private void clear() {
        streams.clear();
        bySid.clear();
        moving.clear();
        working.clear();
        suspects.clear();
        quarantined.clear();
        retired.clear();
        notes.clear();
        parked.clear();
        graves.clear();
        endsAhead.clear();
        namespaces.clear();
        unsaved.clear();
        task = TaskRecord.FIRST;
    }

    private void read(Bytes key, byte[] value, Map<Integer, Map<Long, byte[]>> executions) {
        switch (UsageKeys.kindOf(key)) {
            case UsageKeys.TASK -> task = TaskRecord.decode(value);
            case UsageKeys.EXECUTION ->
                executions
                        .computeIfAbsent(UsageKeys.sidOfExecution(key), sid -> new TreeMap<>())
                        .put(UsageKeys.numberOfExecution(key), value);
            case UsageKeys.RETIRED -> {
                Retired stream = Retired.decode(value);
                retired.put(stream.sid(), stream);
            }
            case UsageKeys.PENDING -> notes.readPending(key, value);
            case UsageKeys.PARKED -> parked.read(key, value);
            case UsageKeys.GRAVE_AT -> graves.read(key);
            case UsageKeys.DONE,
                    UsageKeys.DONE_AT,
                    UsageKeys.FORMAT,
                    UsageKeys.GRAVE,
                    UsageKeys.END_OF_GRAVES,
                    UsageKeys.WAITING_END,
                    UsageKeys.AFTER_WAITING_ENDS,
                    UsageKeys.TREE -> {}
            default -> throw new IllegalStateException("the usage store holds a key of an unknown kind: " + key);
        }
    }

    private void readStream(Bytes key, byte[] value, PolicySet policies, Map<Integer, Map<Long, byte[]>> executions) {
        StreamName name = UsageKeys.streamOf(key);
        StreamState stream = StateCodec.decode(name, policies.effective(name), value);
        stream.setPolicy(stream.policy(), policies.isHeld(name));
        if (stream.executions() != null) {
            stream.setExecutions(new Executions());
            for (var entry : executions.getOrDefault(stream.sid(), Map.of()).entrySet()) {
                stream.executions().put(StateCodec.decode(stream, entry.getKey(), entry.getValue()));
            }
        }
        remember(stream);
        namespaces.addStream(stream, 1);
        for (Segment segment : stream.segments()) {
            namespaces.add(segment, 1);
            endsAhead.come(segment);
        }
        stream.changeAll();
        note(stream);
    }

    public Collection<StreamState> all() {
        return streams.values();
    }

    public @Nullable StreamState find(StreamName name) {
        return streams.get(name);
    }

    public @Nullable StreamState ofSid(int sid) {
        return bySid.get(sid);
    }

    /** Returns the name of the stream with this number, also of one that is being emptied; null if there is none. */
    public @Nullable StreamName nameOf(int sid) {
        StreamState stream = bySid.get(sid);
        Retired gone = stream == null ? retired.get(sid) : null;
        return stream != null ? stream.stream() : gone == null ? null : gone.stream();
    }

    /** Returns the streams whose events are moving into another arrangement, without quarantined ones; a live view. */
    public Set<StreamState> moving() {
        return moving;
    }

    /** Returns the number of ended moves: the stream has its new arrangement, is quarantined, or is gone. */
    public long movesEnded() {
        return movesEnded;
    }

    /** Returns the streams whose usage disagrees with their events; a live view. */
    public Set<StreamState> suspects() {
        return suspects;
    }

    /**
     * Returns the streams from which nothing is deleted until an operator has looked at them, by number; a live view.
     */
    public NavigableMap<Integer, StreamState> quarantined() {
        return quarantined;
    }

    /** Returns the streams with an execution that is not terminal, by number; a live view. */
    public NavigableMap<Integer, StreamState> working() {
        return working;
    }

    /** Returns the stream with the next higher number; null if there is none. */
    public @Nullable StreamState after(int sid) {
        var next = bySid.higherEntry(sid);
        return next == null ? null : next.getValue();
    }

    /** Returns the highest number of a stream; 0 if there is none. */
    public int lastSid() {
        return bySid.isEmpty() ? 0 : bySid.lastKey();
    }

    public StreamState create(StreamName name, PolicySet policies) {
        var policy = policies.effective(name);
        StreamState stream =
                new StreamState(name, task.nextSid(), policy, Arrangement.of(policy, statuses.fingerprint()));
        stream.setPolicy(policy, policies.isHeld(name));
        stream.startAt(firstFreeStoredAt(name), firstSeq());
        stream.follow(graves.of(name));
        saveTask(task.withNextSid(task.nextSid() + 1));
        remember(stream);
        namespaces.addStream(stream, 1);
        return stream;
    }

    /**
     * Returns the first free storage time: a late tombstone of a deleted stream of this name must not hit a row of the
     * new one.
     */
    public long firstFreeStoredAt(StreamName name) {
        long last = -1;
        for (Retired stream : retired.values()) {
            if (stream.stream().equals(name)) {
                last = Math.max(last, stream.lastStoredAt());
            }
        }
        return last + 1;
    }

    /**
     * Returns the place of a new stream's first event in the order of arrival, above those of all streams that are
     * gone: events of a former stream of its name may come back beside its own (T-2).
     */
    public long firstSeq() {
        return task.firstSeq();
    }

    private void remember(StreamState stream) {
        streams.put(stream.stream(), stream);
        bySid.put(stream.sid(), stream);
        stream.reportSuspicionTo(suspects::add);
    }

    /** Returns the execution with this number; creates it if nothing is known of it. */
    public Segment segment(StreamState stream, long number) {
        Segment known = stream.segment(number);
        if (known != null) {
            return known;
        }
        long lineBefore = stream.line();
        Executions executions = stream.executions() == null ? new Executions() : stream.executions();
        stream.setExecutions(executions);
        Segment segment = new Segment(stream, number);
        if (stream.isMoving()) {
            segment.beginMove(new Heads());
        }
        executions.put(segment);
        stream.remember(stream.sweepMemory().withoutCaps());
        stream.changeLine(lineBefore);
        return segment;
    }

    /** Changes the execution and updates the figures that depend on whether it is terminal. */
    public void changeExecution(Segment segment, Execution execution) {
        StreamState stream = segment.stream();
        namespaces.add(segment, -1);
        if (stream.executions() != null && segment != stream.root()) {
            stream.executions().includeSummary(segment, -1);
            segment.changeTo(execution);
            stream.executions().includeSummary(segment, 1);
        } else {
            segment.changeTo(execution);
        }
        namespaces.add(segment, 1);
        if (!execution.isTerminal()) {
            endsAhead.open(segment);
        }
        stream.remember(stream.sweepMemory().afterChange(segment.number()));
        segment.unguard();
        stream.change(segment);
    }

    /** Notes that the end of the execution may have come ahead of its events; the caller saves the execution. */
    public void noteEnd(Segment segment, EffectivePolicy policy, long nowMs) {
        endsAhead.decide(segment, policy, nowMs);
    }

    public void save(StreamState stream, Segment segment) {
        saveAlone(segment);
        save(stream);
    }

    /** Saves the part of the segment that the record of its stream does not hold. */
    public void saveAlone(Segment segment) {
        StreamState stream = segment.stream();
        if (segment.number() > 0) {
            usage.put(UsageKeys.execution(stream.sid(), segment.number()), StateCodec.encode(segment));
        }
        if (stream.executions() != null) {
            stream.executions().settled(segment);
        }
        unsaved.remove(segment);
    }

    /** Saves the segment now or a little later, but always before the next commit. */
    public void saveSoon(StreamState stream, Segment segment, long nowMs) {
        if (remindBeforeCommit == null || nowMs < savedAtMs || nowMs - SAVE_EVERY_MS >= savedAtMs) {
            saveUnsaved();
            save(stream, segment);
            savedAtMs = nowMs;
            return;
        }
        note(stream);
        if (unsaved.add(segment) && unsaved.size() == 1) {
            remindBeforeCommit.run();
        }
    }

    /** Notes that a record of the input is taken in; saved before the next commit. */
    public void takeIn(String topic, String topicId, long offset, boolean mayRepeat) {
        if (takenIn.took(topic, topicId, offset, mayRepeat) && remindBeforeCommit != null) {
            remindBeforeCommit.run();
        }
    }

    /** Returns the Merkle tree over the audit; a change of the tree is saved before the next commit. */
    public SavedTree tree() {
        return tree;
    }

    /** Saves everything that {@link #saveSoon}, {@link #takeIn} and {@link #tree} have deferred. */
    public void saveUnsaved() {
        takenIn.save();
        tree.save();
        Set<Segment> left = unsaved;
        unsaved = new LinkedHashSet<>();
        left.forEach(segment -> save(segment.stream(), segment));
    }

    public void saveAll(StreamState stream) {
        stream.segments().forEach(this::saveAlone);
        save(stream);
    }

    public void save(StreamState stream) {
        usage.put(UsageKeys.stream(stream.stream()), StateCodec.encode(stream));
        note(stream);
    }

    /** Returns the number of times that a stream was saved, marked for saving, or removed. */
    public long changes() {
        return changes;
    }

    private void note(StreamState stream) {
        changes++;
        if (stream.isMoving() && stream.quarantine() == null) {
            moving.add(stream);
        } else if (!moving.isEmpty()) {
            leaveMoving(stream);
        }
        boolean isWorking = !stream.root().execution().isTerminal()
                || (stream.executions() != null && stream.executions().open() > 0);
        if (isWorking) {
            working.put(stream.sid(), stream);
        } else if (!working.isEmpty()) {
            working.remove(stream.sid());
        }
        if (stream.quarantine() != null) {
            quarantined.put(stream.sid(), stream);
        } else if (!quarantined.isEmpty()) {
            quarantined.remove(stream.sid());
        }
    }

    /** Removes an execution of which nothing is left. */
    public void removeSegment(Segment segment) {
        saveUnsaved();
        StreamState stream = segment.stream();
        if (segment == stream.root()) {
            changeExecution(segment, Execution.undeclared(0));
            return;
        }
        Executions executions = Objects.requireNonNull(stream.executions());
        long lineBefore = stream.line();
        namespaces.add(segment, -1);
        endsAhead.go(segment);
        executions.remove(segment);
        stream.revise();
        usage.put(UsageKeys.execution(stream.sid(), segment.number()), null);
        if (executions.size() == 0) {
            stream.setExecutions(null);
        }
        stream.changeLine(lineBefore);
    }

    /** Forgets the stream: nothing of it may be left except the parts that are retired with it. */
    public void remove(StreamState stream) {
        saveUnsaved();
        changes++;
        keepPlaces(stream);
        stream.leaveForGood();
        for (Segment segment : stream.segments()) {
            namespaces.add(segment, -1);
            endsAhead.go(segment);
        }
        usage.put(UsageKeys.stream(stream.stream()), null);
        streams.remove(stream.stream());
        bySid.remove(stream.sid());
        leaveMoving(stream);
        working.remove(stream.sid());
        suspects.remove(stream);
        quarantined.remove(stream.sid());
        namespaces.addStream(stream, -1);
    }

    /** Notes the places of the stream's events, which no later stream of its name may give again. */
    private void keepPlaces(StreamState stream) {
        if (stream.nextSeq() > task.firstSeq()) {
            saveTask(task.withFirstSeq(stream.nextSeq()));
        }
    }

    private void leaveMoving(StreamState stream) {
        if (moving.remove(stream)) {
            movesEnded++;
        }
    }

    public void retire(Retired stream) {
        retired.put(stream.sid(), stream);
        usage.put(UsageKeys.retired(stream.sid()), stream.encode());
    }

    public Collection<Retired> retired() {
        return retired.values();
    }

    public void forgetRetired(Retired stream) {
        retired.remove(stream.sid());
        usage.put(UsageKeys.retired(stream.sid()), null);
    }

    /** Returns the records of the executions of a stream, from this number on. */
    public KeyValueIterator<Bytes, byte[]> executionsOf(int sid, long from) {
        return usage.range(UsageKeys.execution(sid, from), UsageKeys.execution(sid, Long.MAX_VALUE));
    }

    /** Returns the record of an execution; null if there is none. */
    public byte @Nullable [] execution(int sid, long number) {
        return usage.get(UsageKeys.execution(sid, number));
    }

    public void removeExecution(int sid, long number) {
        usage.put(UsageKeys.execution(sid, number), null);
    }

    public Notes notes() {
        return notes;
    }

    public ParkedStreams parked() {
        return parked;
    }

    /** Returns the number of the next stream that has to wait, and saves that it is taken. */
    public long nextParked() {
        long number = task.nextParked();
        saveTask(task.withNextParked(number + 1));
        return number;
    }

    public Graves graves() {
        return graves;
    }

    public TaskRecord task() {
        return task;
    }

    public void saveTask(TaskRecord newTask) {
        task = newTask;
        usage.put(TaskRecord.KEY, task.encode());
    }
}
