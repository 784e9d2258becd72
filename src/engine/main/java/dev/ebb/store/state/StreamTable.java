package dev.ebb.store.state;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.BuiltInPolicies;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.store.index.Agenda;
import dev.ebb.store.index.Mark;
import dev.ebb.store.index.Marks;
import dev.ebb.store.index.RetiredStreams;
import dev.ebb.store.index.SidRange;
import dev.ebb.store.index.StreamNames;
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
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
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

    /** The most moving streams that are kept in memory. */
    private static final int MOST_MOVING = 1000;

    private final KeyValueStore<Bytes, byte[]> usage;
    private final NamespaceCounts namespaces;
    private final StatusesInForce statuses;
    private final @Nullable Runnable remindBeforeCommit;
    private final StreamCache cache;
    private final SidRange names;
    private final Marks marks;
    private final Agenda agenda;
    private Predicate<StreamState> arrange = stream -> false;
    private @Nullable SweepSchedule schedule;
    private PolicySet policies;

    /** A name that no stream has: an event of a new stream asks for it several times. Null if none is known. */
    private @Nullable StreamName missing;

    private boolean isReminded;

    /** True if streams are moving that are not among {@link #moving}. */
    private boolean areMoreMoving;

    private final Set<StreamState> moving = new LinkedHashSet<>();
    private long movesEnded;
    private final Set<StreamState> suspects = new LinkedHashSet<>();
    private final NavigableMap<Integer, StreamState> quarantined = new TreeMap<>();
    private final RetiredStreams retired;
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
     * @param cacheBytes returns the number of bytes that streams may take in memory
     * @param remindBeforeCommit asks for {@link #saveUnsaved} before the next commit; null if there is no such reminder
     */
    public StreamTable(
            KeyValueStore<Bytes, byte[]> usage,
            NamespaceCounts namespaces,
            StatusesInForce statuses,
            long graveRetentionMs,
            LongSupplier cacheBytes,
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
        this.cache = new StreamCache(cacheBytes, this::leave);
        this.names = new SidRange(usage, UsageKeys.SID);
        this.marks = new Marks(usage);
        this.retired = new RetiredStreams(usage);
        this.agenda = new Agenda(usage);
        this.policies = PolicySet.empty(new BuiltInPolicies(BuiltInPolicies.DEFAULT_MAX_AGE));
    }

    /**
     * Reads the records that are few: streams are read when they are needed.
     *
     * @param arrange begins to move the events of a stream that has been read and whose policy has changed meanwhile;
     *     returns true if the stream must be saved
     */
    public void open(PolicySet inForce, Predicate<StreamState> arrange) {
        clear();
        this.policies = inForce;
        this.arrange = arrange;
        StateFormat.claim(usage, "the state of a partition");
        takenIn.open();
        tree.open();
        byte[] known = usage.get(TaskRecord.KEY);
        task = known == null ? TaskRecord.FIRST : TaskRecord.decode(known);
        retired.open();
        read(UsageKeys.PENDING);
        read(UsageKeys.PARKED);
        read(UsageKeys.GRAVE_AT);
        namespaces.open(usage);
        readMarked(Mark.MOVING);
        readMarked(Mark.QUARANTINED);
    }

    private void clear() {
        cache.clear();
        names.clear();
        marks.clear();
        agenda.clear();
        missing = null;
        isReminded = false;
        areMoreMoving = false;
        moving.clear();
        suspects.clear();
        quarantined.clear();
        notes.clear();
        parked.clear();
        graves.clear();
        endsAhead.clear();
        namespaces.clear();
        unsaved.clear();
        task = TaskRecord.FIRST;
    }

    private void read(byte kind) {
        try (var records = usage.range(UsageKeys.single(kind), UsageKeys.single((byte) (kind + 1)))) {
            while (records.hasNext()) {
                var entry = records.next();
                if (UsageKeys.kindOf(entry.key) == kind) {
                    read(kind, entry.key, entry.value);
                }
            }
        }
    }

    private void read(byte kind, Bytes key, byte[] value) {
        switch (kind) {
            case UsageKeys.PENDING -> notes.readPending(key, value);
            case UsageKeys.PARKED -> parked.read(key, value);
            default -> graves.read(key);
        }
    }

    private void readMarked(Mark mark) {
        StreamState next = nextMarked(mark, 0);
        while (next != null && !areMoreMoving) {
            next = nextMarked(mark, next.sid());
        }
    }

    /** Has streams enter the schedule when they are read, and leave it when they leave memory. */
    public void enterInto(SweepSchedule newSchedule) {
        schedule = newSchedule;
        newSchedule.follow(this);
    }

    /** Notes the policies by which streams are read from now on. */
    public void follow(PolicySet newest) {
        policies = newest;
    }

    /** Returns the text of {@link #saveFollowed}; empty if there is none. */
    public String followed() {
        byte[] value = usage.get(UsageKeys.single(UsageKeys.FOLLOWED));
        return value == null ? "" : new String(value, StandardCharsets.UTF_8);
    }

    /** Saves a name of the policies that all streams follow. */
    public void saveFollowed(String edition) {
        if (!edition.equals(followed())) {
            usage.put(UsageKeys.single(UsageKeys.FOLLOWED), edition.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Takes a stream into memory, read just now or still in use; both must go on alike, whatever the collector did. */
    private StreamState admit(StreamState stream) {
        stream.changeAll();
        stream.segments().forEach(endsAhead::come);
        stream.follow(graves.of(stream.stream()));
        cache.put(stream);
        if (arrange.test(stream)) {
            // Saved with all executions: a move that only some of them have noted would not find all events after a
            // crash.
            saveAll(stream);
        } else if (isMisfiled(stream)) {
            save(stream);
        }
        note(stream);
        enter(stream);
        return stream;
    }

    /** Returns the stream as its record would give it: under the policies of the moment, without findings. */
    private StreamState renewed(StreamState inUse) {
        inUse.forgetFindings();
        inUse.setPolicy(policies.effective(inUse.stream()), policies.isHeld(inUse.stream()));
        return inUse;
    }

    private StreamState decode(StreamName name, byte[] record) {
        StreamState stream = StateCodec.decode(name, policies.effective(name), record);
        stream.setPolicy(stream.policy(), policies.isHeld(name));
        if (stream.executions() != null) {
            Executions executions = new Executions();
            stream.setExecutions(executions);
            try (var entries = executionsOf(stream.sid(), 0)) {
                while (entries.hasNext()) {
                    var entry = entries.next();
                    executions.put(StateCodec.decode(stream, UsageKeys.numberOfExecution(entry.key), entry.value));
                }
            }
        }
        return stream;
    }

    /** Returns the stream if the store knows it, from memory or from the store; null if it holds nothing. */
    public @Nullable StreamState find(StreamName name) {
        StreamState cached = cache.find(name);
        if (cached != null || name.equals(missing)) {
            return cached;
        }
        StreamState stored = stored(name);
        if (stored == null) {
            missing = name;
            return null;
        }
        return admit(stored);
    }

    /** Returns a stream that is not in memory, still in use or read from its record; null if the store has none. */
    private @Nullable StreamState stored(StreamName name) {
        StreamState inUse = cache.inUse(name);
        if (inUse != null) {
            return renewed(inUse);
        }
        byte[] record = usage.get(UsageKeys.stream(name));
        if (record == null) {
            return null;
        }
        StreamState stream = decode(name, record);
        stream.reportSuspicionTo(suspects::add);
        return stream;
    }

    private void enter(StreamState stream) {
        if (schedule != null) {
            schedule.touch(stream);
        }
    }

    /** Puts a stream back into memory that has left it while work on the stream was under way. */
    void keep(StreamState stream) {
        if (!stream.isCached() && !stream.isGone()) {
            cache.put(stream);
            stream.segments().forEach(endsAhead::come);
        }
    }

    /** Files a stream that leaves memory under the time at which it has to be looked at again. */
    private void leave(StreamState stream) {
        long wakeMs = schedule == null ? stream.firstWorkMs() : schedule.leave(stream);
        List<Segment> late = unsavedOf(stream);
        late.forEach(this::saveAlone);
        stream.segments().forEach(endsAhead::go);
        boolean isRead = stream.wakeMs() != Agenda.NEVER && agenda.isRead(stream.wakeMs(), stream.sid());
        if (wakeMs < stream.wakeMs() || (isRead && wakeMs > stream.wakeMs() && wakeMs != Agenda.NEVER)) {
            file(stream, wakeMs);
            save(stream);
        } else if (isRead && stream.firstWorkMs() == Agenda.NEVER) {
            unfile(stream);
            save(stream);
        } else if (!late.isEmpty()) {
            save(stream);
        }
        if (stream.wakeMs() != Agenda.NEVER && wakeMs != Agenda.NEVER) {
            agenda.await(stream.wakeMs(), stream.sid());
        }
    }

    private List<Segment> unsavedOf(StreamState stream) {
        if (unsaved.isEmpty()) {
            return List.of();
        }
        return stream.segments().stream().filter(unsaved::contains).toList();
    }

    /** Gives the stream a wake-up at this time instead of its former one. */
    private void file(StreamState stream, long wakeMs) {
        if (stream.wakeMs() != Agenda.NEVER) {
            agenda.remove(stream.wakeMs(), stream.sid());
        }
        long atMs = Math.max(0, wakeMs);
        agenda.put(atMs, stream.sid());
        stream.wakeAt(atMs);
        if (!stream.isCached()) {
            agenda.await(atMs, stream.sid());
        }
    }

    /** Takes away the wake-up of a stream that only a change gives something to do, or each sweep would read the stream. */
    private void unfile(StreamState stream) {
        agenda.remove(stream.wakeMs(), stream.sid());
        stream.wakeAt(Agenda.NEVER);
    }

    /** Returns true if the store would look at the stream too late, or not find it by a mark. */
    public static boolean isMisfiled(StreamState stream) {
        return stream.firstWorkMs() < stream.wakeMs() || stream.presentMarks() != stream.marks();
    }

    /** Saves a stream whose policy has changed, if that changes the time at which it has to be looked at. */
    public void refile(StreamState stream) {
        if (isMisfiled(stream)) {
            save(stream);
        }
    }

    /**
     * Reads wake-ups of streams whose time has come: each is read once until the agenda is turned back.
     *
     * @param most the most to read
     * @return the numbers of the streams; empty if no stream waits any more
     */
    List<Integer> readAwake(long nowMs, int most) {
        return agenda.read(nowMs, most);
    }

    /** Returns the number of streams that have to be looked at and are not in memory, up to a limit. */
    int toWake(long nowMs, int limit) {
        return agenda.count(nowMs, limit, sid -> cache.ofSid(sid) == null);
    }

    /** Returns the number of streams that may wait in memory for a sweep, at least 1: half of those that it holds. */
    int roomForAwake() {
        return cache.room(2);
    }

    /** Returns a time before which {@link #readAwake} finds nothing, epoch milliseconds. */
    long nextWakeMs() {
        return agenda.nextMs();
    }

    /**
     * Returns the time of the first wake-up that only {@link #turnBack} brings back, epoch milliseconds; {@link
     * Agenda#NEVER} if there is none.
     */
    long passedWakeMs() {
        return agenda.behindMs();
    }

    /** Has wake-ups read again that were passed, of streams that have left memory since. */
    void turnBack() {
        agenda.turnBack();
    }

    /**
     * Returns a stream whose wake-up was read, and takes the stream into memory; null if the stream is gone or was given
     * another wake-up since.
     *
     * @param beforeMs the time before which the wake-up lies, epoch milliseconds
     */
    @Nullable
    StreamState awaken(int sid, long beforeMs) {
        StreamState cached = cache.ofSid(sid);
        StreamName name = cached == null ? presentName(sid) : null;
        StreamState stored = name == null ? null : stored(name);
        return stored == null || stored.wakeMs() >= beforeMs ? cached : admit(stored);
    }

    public @Nullable StreamState ofSid(int sid) {
        StreamState cached = cache.ofSid(sid);
        if (cached != null) {
            return cached;
        }
        byte[] name = names.get(sid);
        return name == null ? null : find(new StreamName(new String(name, StandardCharsets.UTF_8)));
    }

    /**
     * Returns a finder of names of streams by their numbers, also of those that are being emptied; null for a stream
     * without rows in SQL, and where there is none. It may be used until streams change.
     */
    public IntFunction<@Nullable StreamName> namesWithRows() {
        return new IntFunction<>() {

            private int lastSid;
            private @Nullable StreamName last;

            @Override
            public @Nullable StreamName apply(int sid) {
                if (sid != lastSid) {
                    last = nameWithRows(sid);
                    lastSid = sid;
                }
                return last;
            }
        };
    }

    /** Returns the name of the stream with this number, also of one that is being emptied; null if there is none. */
    public @Nullable StreamName nameOf(int sid) {
        StreamName present = presentName(sid);
        Retired gone = present == null ? retired.of(sid) : null;
        return gone == null ? present : gone.stream();
    }

    private @Nullable StreamName nameWithRows(int sid) {
        StreamName present = presentName(sid);
        if (present == null) {
            Retired gone = retired.of(sid);
            return gone == null || !gone.hadRows() ? null : gone.stream();
        }
        StreamState cached = cache.ofSid(sid);
        boolean hasRows = cached == null ? !marks.has(Mark.UNMIRRORED, sid) : cached.hasRows();
        return hasRows ? present : null;
    }

    /** Returns the name of the stream with this number; null if there is none. */
    public @Nullable StreamName presentName(int sid) {
        StreamState cached = cache.ofSid(sid);
        if (cached != null) {
            return cached.stream();
        }
        byte[] name = names.get(sid);
        return name == null ? null : new StreamName(new String(name, StandardCharsets.UTF_8));
    }

    /**
     * Returns streams whose events are moving into another arrangement, without quarantined ones; a live view of some of
     * them if there are many.
     */
    public Set<StreamState> moving() {
        if (areMoreMoving && moving.size() < MOST_MOVING / 2) {
            areMoreMoving = false;
            StreamState next = nextMarked(Mark.MOVING, 0);
            while (next != null && !areMoreMoving) {
                note(next);
                next = nextMarked(Mark.MOVING, next.sid());
            }
        }
        return moving;
    }

    /** Returns the number of moving streams in memory, and one more if there are others. */
    public int movingStreams() {
        return moving.size() + (areMoreMoving ? 1 : 0);
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

    /** Returns the next stream with the mark after the one with this number; null if there is none. */
    public @Nullable StreamState nextMarked(Mark mark, int after) {
        for (int sid = marks.after(mark, after); sid > 0; sid = marks.after(mark, sid)) {
            StreamState stream = ofSid(sid);
            if (stream != null && (stream.marks() & mark.bit()) != 0) {
                return stream;
            }
        }
        return null;
    }

    /** Returns the numbers of the streams, to be read from any place on. */
    public SidRange sids() {
        return new SidRange(usage, UsageKeys.SID);
    }

    /** Returns the stream with the next higher number; null if there is none. */
    public @Nullable StreamState after(SidRange sids, int after) {
        for (int sid = sids.after(after); sid > 0; sid = sids.after(sid)) {
            StreamState stream = ofSid(sid);
            if (stream != null) {
                return stream;
            }
        }
        return null;
    }

    /**
     * Returns the stream with the next higher number for a walk that drives no other stream out of memory; null if there
     * is none. One that is not in memory is a copy, right until something changes.
     */
    public @Nullable StreamState glanceAfter(SidRange sids, int after) {
        for (int sid = sids.after(after); sid > 0; sid = sids.after(sid)) {
            StreamState stream = glance(sid);
            if (stream != null) {
                return stream;
            }
        }
        return null;
    }

    /**
     * Returns the next stream with the mark after the one with this number, as {@link #glanceAfter} does; null if there is
     * none.
     */
    public @Nullable StreamState glanceMarked(Mark mark, int after) {
        for (int sid = marks.after(mark, after); sid > 0; sid = marks.after(mark, sid)) {
            StreamState stream = glance(sid);
            if (stream != null && (stream.marks() & mark.bit()) != 0) {
                return stream;
            }
        }
        return null;
    }

    private @Nullable StreamState glance(int sid) {
        StreamState cached = cache.ofSid(sid);
        StreamName name = cached == null ? presentName(sid) : null;
        return name == null ? cached : glance(name);
    }

    /**
     * Returns the stream, without driving another one out of memory; null if it holds nothing. If it is not in memory, it
     * is a copy under the policies of the moment, right until something changes.
     */
    public @Nullable StreamState glance(StreamName name) {
        StreamState cached = cache.find(name);
        StreamState known = cached == null ? cache.inUse(name) : cached;
        byte[] record = known == null ? usage.get(UsageKeys.stream(name)) : null;
        return record == null ? known : decode(name, record);
    }

    /** Returns the names of all streams, or of those of a namespace other than the default one. */
    public Iterator<StreamName> names(@Nullable String namespace) {
        return namespace == null ? StreamNames.all(usage) : StreamNames.of(usage, namespace);
    }

    /** Returns a number that no stream exceeds. */
    public int lastSid() {
        return task.nextSid() - 1;
    }

    public StreamState create(StreamName name, PolicySet inForce) {
        var policy = inForce.effective(name);
        StreamState stream =
                new StreamState(name, task.nextSid(), policy, Arrangement.of(policy, statuses.fingerprint()));
        stream.setPolicy(policy, inForce.isHeld(name));
        stream.giveRows(policy.isMirrored());
        stream.startAt(firstFreeStoredAt(name), firstSeq());
        stream.follow(graves.of(name));
        saveTask(task.withNextSid(task.nextSid() + 1));
        stream.reportSuspicionTo(suspects::add);
        names.put(stream.sid(), name.value().getBytes(StandardCharsets.UTF_8));
        missing = null;
        cache.put(stream);
        namespaces.addStream(stream, 1);
        return stream;
    }

    /**
     * Returns the first free storage time: a late tombstone of a deleted stream of this name must not hit a row of the
     * new one.
     */
    public long firstFreeStoredAt(StreamName name) {
        return retired.lastStoredAt(name) + 1;
    }

    /**
     * Returns the place of a new stream's first event in the order of arrival, above those of all streams that are
     * gone: events of a former stream of its name may come back beside its own (T-2).
     */
    public long firstSeq() {
        return task.firstSeq();
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
        isReminded = false;
        takenIn.save();
        tree.save();
        Set<Segment> left = unsaved;
        unsaved = new LinkedHashSet<>();
        left.forEach(segment -> save(segment.stream(), segment));
        namespaces.save(usage);
    }

    public void saveAll(StreamState stream) {
        stream.segments().forEach(this::saveAlone);
        save(stream);
    }

    public void save(StreamState stream) {
        if (stream.firstWorkMs() < stream.wakeMs()) {
            file(stream, stream.firstWorkMs());
        }
        int present = stream.presentMarks();
        if (present != stream.marks()) {
            marks.change(stream.sid(), stream.marks(), present);
            stream.mark(present);
        }
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
            noteMoving(stream);
        } else if (!moving.isEmpty()) {
            leaveMoving(stream);
        }
        if (stream.quarantine() != null) {
            quarantined.put(stream.sid(), stream);
        } else if (!quarantined.isEmpty()) {
            quarantined.remove(stream.sid());
        }
        cache.weigh(stream);
        saveTotals();
    }

    /** Keeps a stream that moves in memory, if there are not too many of these; the others are found by their mark. */
    private void noteMoving(StreamState stream) {
        if (moving.size() < MOST_MOVING) {
            moving.add(stream);
        } else if (!moving.contains(stream)) {
            areMoreMoving = true;
        }
    }

    /** Saves the totals before the next commit. */
    private void saveTotals() {
        if (!namespaces.isUnsaved()) {
            return;
        }
        if (remindBeforeCommit == null) {
            namespaces.save(usage);
        } else if (!isReminded) {
            isReminded = true;
            remindBeforeCommit.run();
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
        names.remove(stream.sid());
        marks.change(stream.sid(), stream.marks(), 0);
        if (stream.wakeMs() != Agenda.NEVER) {
            agenda.remove(stream.wakeMs(), stream.sid());
        }
        cache.remove(stream);
        leaveMoving(stream);
        suspects.remove(stream);
        quarantined.remove(stream.sid());
        namespaces.addStream(stream, -1);
        saveTotals();
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

    /** Returns the streams that are gone while their events are still being removed. */
    public RetiredStreams retired() {
        return retired;
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
