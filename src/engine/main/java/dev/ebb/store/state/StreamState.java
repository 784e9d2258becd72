package dev.ebb.store.state;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.Range;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory of one stream: its usage, its executions, and the policy it goes by. Written only by the {@code EventStore}
 * that owns it, on the thread of its task.
 */
public final class StreamState {

    static final long NO_PRUNE = 0;

    private final int sid;
    private Segment root = new Segment(this, 0);

    private @Nullable Executions executions;

    private Arrangement arrangement;

    private @Nullable Move move;

    /** The stream that this one belongs to; null if none was ever named. */
    private @Nullable StreamName parent;

    private long nextSeq;
    private long lastStoredAt;

    /** Time of the last delete of a stream of this name, see {@link Graves}; -1 if none is known. Not saved. */
    private long formerDeletedMs = -1;

    private final LatestCompletion completion = new LatestCompletion();
    private SweepMemory sweepMemory = SweepMemory.NOTHING;

    /** Passes through the stream, which must be told of all events that come and go; null if there are none. */
    private @Nullable List<StreamPass> passes;

    /** Figures that do not agree with the events, which must be counted anew; null if none are known. */
    private @Nullable String suspicion;

    private Consumer<StreamState> suspicionListener = stream -> {};

    /** Reason why the stream is not swept until an operator has looked at it; null if nothing is wrong. */
    private @Nullable Quarantine quarantine;

    /** Key of the last prune over many streams that has begun here; {@link #NO_PRUNE} if there is none. */
    private long lastPrune = NO_PRUNE;

    /** Number of changes that no other figure in the record of the stream need show, see {@link #revise}. */
    private long revision;

    /** True if the partition no longer knows the stream. */
    private boolean isGone;

    private final HeapPlace<StreamState> heapPlace = new HeapPlace<>(this);

    /** Number of looks at its executions in memory: work in slices must not look at all of them. */
    private long looks;

    private final StreamName stream;
    private EffectivePolicy policy;
    private boolean isHeld;
    private final boolean isShadow;

    public StreamState(StreamName stream, int sid, EffectivePolicy policy, Arrangement arrangement) {
        this(stream, sid, policy, arrangement, false);
    }

    private StreamState(StreamName stream, int sid, EffectivePolicy policy, Arrangement arrangement, boolean isShadow) {
        this.stream = stream;
        this.sid = sid;
        this.policy = policy;
        this.arrangement = arrangement;
        this.isShadow = isShadow;
    }

    public StreamName stream() {
        return stream;
    }

    /** The policy that the stream goes by; changes with the policies in force, a moment later. */
    public EffectivePolicy policy() {
        return policy;
    }

    /** Returns true if a hold covers the stream. */
    public boolean isHeld() {
        return isHeld;
    }

    /** The stream that this one belongs to; null if none was ever named. */
    public @Nullable StreamName parent() {
        return parent;
    }

    public void setPolicy(EffectivePolicy newPolicy, boolean newIsHeld) {
        policy = newPolicy;
        isHeld = newIsHeld;
        sweepMemory = sweepMemory.withoutCaps();
        changeAll();
    }

    /** All events, protected ones included. */
    public long totalEvents() {
        return root.totalEvents()
                + (executions == null ? 0 : executions.totals().events());
    }

    /** The size of all events. */
    public long totalBytes() {
        return root.totalBytes() + (executions == null ? 0 : executions.totals().bytes());
    }

    /** Number of events that their status, or that of their execution, protects. */
    public long protectedEvents() {
        return count(Range.PINNED) + root.lockedEvents() + (executions == null ? 0 : executions.locked());
    }

    /** Number of executions above 0, and of 0 itself if it was declared: otherwise 0 is no more than a name. */
    public long executionCount() {
        long others = executions == null ? 0 : executions.size();
        return others + (root.execution().isDeclared() ? 1 : 0);
    }

    /** Returns true if an execution is not terminal or an event is protected (M-6). */
    public boolean isOpen() {
        return count(Range.PINNED) > 0
                || !root.execution().isTerminal()
                || (executions != null && executions.open() > 0);
    }

    /** Number of executions that are not terminal. */
    public long openExecutions() {
        return (root.execution().isTerminal() ? 0L : 1L) + (executions == null ? 0 : executions.open());
    }

    /** The lowest executions that are not terminal, up to that many. */
    public List<Execution> firstOpen(int most) {
        List<Execution> open = new ArrayList<>();
        Segment next = nextOpen(0);
        while (next != null && open.size() < most) {
            open.add(next.execution());
            next = nextOpen(next.number() + 1);
        }
        return open;
    }

    /** Number of events that their own status protects. */
    public long openEvents() {
        return count(Range.PINNED);
    }

    /** Returns true if nothing is known of the stream any more. */
    public boolean isEmpty() {
        return executions == null && !root.isKnown();
    }

    /** Returns true if protected events, and no others, lie in the pinned range as these terminal statuses ask for. */
    public boolean isSortedBy(TerminalStatuses statuses) {
        return arrangement.statuses() == statuses.fingerprint() && !isBeingSorted();
    }

    /** Returns true if the events are on their way into another arrangement: sweeps wait for that. */
    public boolean isMoving() {
        return move != null;
    }

    /**
     * Returns true if another set of terminal statuses is being taken in: the protected events are not known yet (M-3).
     */
    public boolean isBeingSorted() {
        return move != null && move.visits(Range.PINNED);
    }

    /** Returns true if the stream holds more than its policy allows and something may be able to go at that time. */
    boolean isOverCap() {
        return policy.isOverCap(totalEvents(), totalBytes()) && eligibleForCaps() > 0;
    }

    /**
     * Returns true if a sweep at that time has to look at the stream, whatever the mode of its policy; costs no look at
     * an event.
     */
    public boolean mayLose(long nowMs) {
        return firstDue(nowMs) != null || isOverCap();
    }

    /** Number of events that caps may take: not those of the current execution. */
    private long eligibleForCaps() {
        if (executions == null) {
            return root.eligibleEvents();
        }
        return count(Range.ORDERED) + count(Range.TIMED);
    }

    public long count(Range range) {
        return root.count(range) + (executions == null ? 0 : executions.totals().count(range));
    }

    public long bytes(Range range) {
        return root.totals().bytes(range)
                + (executions == null ? 0 : executions.totals().bytes(range));
    }

    /** Events that asked for no expiration where the policy does not allow it. */
    public long wishes() {
        return root.totals().wishes()
                + (executions == null ? 0 : executions.totals().wishes());
    }

    /** The execution of that number; null if nothing is known of it. Execution 0 is always there. */
    public @Nullable Segment segment(long number) {
        return number == 0 ? root : executions == null ? null : executions.of(number);
    }

    /** The executions by number, lowest first, execution 0 included; a copy. */
    public List<Segment> segments() {
        if (executions == null) {
            return List.of(root);
        }
        looks += executions.size() + 1L;
        List<Segment> all = new ArrayList<>(executions.size() + 1);
        all.add(root);
        all.addAll(executions.all());
        return all;
    }

    /**
     * The execution of that number or the next higher one, for a walk in which executions may come and go; null if
     * there is none.
     */
    public @Nullable Segment segmentFrom(long number) {
        if (number == 0) {
            return root;
        }
        looks++;
        return executions == null || number < 0 ? null : executions.from(number);
    }

    /** The highest execution above 0 and below that number; null if there is none. */
    public @Nullable Segment segmentBelow(long number) {
        looks++;
        return executions == null ? null : executions.below(number);
    }

    private Iterable<Segment> others() {
        return executions == null ? List.of() : executions.all();
    }

    /** Number of looks at the executions. */
    public long looks() {
        return looks;
    }

    /** Notes that the partition no longer knows the stream, even if this object is still in use. */
    void leaveForGood() {
        isGone = true;
    }

    /** Returns true if the partition no longer knows the stream: it was deleted, or nothing is left of it. */
    public boolean isGone() {
        return isGone;
    }

    /** Attaches a pass, which is told of every change from now on. */
    public void attach(StreamPass pass) {
        List<StreamPass> known = passes;
        if (known == null) {
            known = new ArrayList<>(1);
            passes = known;
        }
        known.add(pass);
    }

    public void detach(StreamPass pass) {
        if (passes != null) {
            passes.remove(pass);
            passes = passes.isEmpty() ? null : passes;
        }
    }

    /** Returns true if any pass is under way that must be told of changes. */
    public boolean isPassedThrough() {
        return passes != null;
    }

    /** Notes that an event has come to that place or has left it. */
    public void note(Segment segment, EventHeader event, Location location, int sign) {
        if (passes != null) {
            for (StreamPass pass : passes) {
                pass.note(segment.number(), event, location, sign);
            }
        }
    }

    /**
     * Notes a change that may leave counts, sizes and heads as they were: an event was written anew or put back, or an
     * execution above 0 has changed. Readers keep what they have derived from a record until the record is another one.
     */
    public void revise() {
        revision++;
    }

    /** Number of such changes; 0 in most streams. */
    long revision() {
        return revision;
    }

    /** Goes on with the number in a record. */
    void goOnFrom(long formerRevision) {
        revision = formerRevision;
    }

    /** Notes that the events lie elsewhere now, or were counted anew. */
    public void rearranged() {
        revise();
        sweepMemory = SweepMemory.NOTHING;
        completion.keep(null);
        if (passes != null) {
            passes.forEach(StreamPass::rearranged);
        }
    }

    /** Notes that usage and events do not agree: the stream is neither swept nor pruned until they are counted anew. */
    public void suspect(String finding) {
        if (suspicion == null) {
            suspicion = finding;
            suspicionListener.accept(this);
        }
    }

    void reportSuspicionTo(Consumer<StreamState> listener) {
        suspicionListener = listener;
    }

    /** Figures that do not agree with the events; null if none are known. */
    public @Nullable String suspicion() {
        return suspicion;
    }

    public void trust() {
        suspicion = null;
    }

    /** Returns true if the events must be counted anew before anything is deleted. */
    public boolean isSuspect() {
        return suspicion != null;
    }

    /** Reason why nothing is deleted from the stream until an operator has looked at it; null if nothing is wrong. */
    public @Nullable Quarantine quarantine() {
        return quarantine;
    }

    /** Notes that the segment has changed: it must be saved, and its due time may be another one. */
    public void change(Segment segment) {
        if (executions != null && segment != root) {
            revise();
            executions.change(segment);
            executions.unsettle(segment);
        }
    }

    /** Notes that all due times may be others. */
    public void changeAll() {
        root.unguard();
        changeDue(others());
    }

    /**
     * Notes that the last executions may be others, which decides about the due times of those in between.
     *
     * @param lineBefore the {@link #line} before the change
     */
    void changeLine(long lineBefore) {
        root.unguard();
        long line = line();
        if (executions != null && line != lineBefore) {
            changeDue(executions.between(Math.min(line, lineBefore), Math.max(line, lineBefore)));
        }
    }

    private void changeDue(Iterable<Segment> segments) {
        Executions known = executions;
        for (Segment segment : segments) {
            looks++;
            segment.unguard();
            Objects.requireNonNull(known).change(segment);
        }
    }

    /** Time at which the first event falls due; {@link RetentionDecider#NEVER} if none ever does. */
    long firstDueMs() {
        long dueMs = nextDueMs(root);
        return executions == null
                ? dueMs
                : Math.min(dueMs, executions.index(this).firstDueMs());
    }

    /** The lowest execution with something due at that time; null if there is none. */
    public @Nullable Segment firstDue(long nowMs) {
        if (RetentionDecider.isPast(nextDueMs(root), nowMs)) {
            return root;
        }
        return executions == null ? null : executions.index(this).due(nowMs);
    }

    /** The lowest execution from that number on that holds events which caps may take; null if there is none. */
    public @Nullable Segment nextEligible(long number) {
        if (number == 0 && root.eligibleEvents() > 0) {
            return root;
        }
        return next(ExecutionIndex.ELIGIBLE, number);
    }

    /** The lowest execution from that number on that is not terminal; null if there is none. */
    public @Nullable Segment nextOpen(long number) {
        if (number == 0 && !root.execution().isTerminal()) {
            return root;
        }
        return next(ExecutionIndex.OPEN, number);
    }

    private @Nullable Segment next(int trait, long number) {
        looks++;
        return executions == null || number < 0 ? null : executions.index(this).next(trait, number);
    }

    /** Counts an event in or out. */
    public void add(Segment segment, Location location, int sign) {
        if (executions == null || segment == root) {
            segment.add(location, sign);
        } else {
            executions.include(segment, -1);
            segment.add(location, sign);
            executions.include(segment, 1);
        }
        sweepMemory = sweepMemory.afterEvent(segment.number(), location, sign);
        change(segment);
    }

    /** The latest completion of an event. */
    public LatestCompletion completion() {
        return completion;
    }

    /** Notes the completion time of an event that comes or goes; null if it is protected. */
    public void noteCompletion(Segment segment, @Nullable Long completedMs, int sign) {
        if (completedMs != null) {
            completion.note(completedMs, sign, segment == root);
        }
    }

    /** Findings of sweeps. */
    public SweepMemory sweepMemory() {
        return sweepMemory;
    }

    public void remember(SweepMemory findings) {
        sweepMemory = findings;
    }

    HeapPlace<StreamState> heapPlace() {
        return heapPlace;
    }

    /** No event of the segment goes by age or own TTL at or before this time; {@link RetentionDecider#NEVER} if none ever does. */
    public long nextDueMs(Segment segment) {
        looks++;
        if (isHeld || !segment.execution().isTerminal() || isAmongLast(segment)) {
            return RetentionDecider.NEVER;
        }
        if (isWithoutEvents(segment)) {
            // The events may have gone to other executions and left their heads behind.
            return emptyDueMs(segment);
        }
        if (segment.guardedUntilMs() != Segment.UNGUARDED) {
            return segment.guardedUntilMs();
        }
        Position head = segment.heads().of(Range.ORDERED);
        long due = segment.heads().dueMs();
        if (head != null) {
            long anchorMs = segment.anchorMs(head.anchorMs(), arrangement.anchor());
            due = Math.min(due, RetentionDecider.removableByAgeMs(anchorMs, policy));
        }
        return due;
    }

    /** A terminal execution without events goes when it is older than {@code maxAge} (M-5). */
    private long emptyDueMs(Segment segment) {
        Long completedAt = segment.execution().completedAt();
        return completedAt == null ? RetentionDecider.NEVER : RetentionDecider.removableByAgeMs(completedAt, policy);
    }

    public static boolean isWithoutEvents(Segment segment) {
        return segment.execution().isDeclared() && segment.totalEvents() == 0;
    }

    /** Returns true if {@code keepLast} keeps all of the segment: one of the last executions, or few enough events. */
    private boolean isAmongLast(Segment segment) {
        var keepLast = policy.keepLast().value();
        if (keepLast.isNone()) {
            return false;
        }
        return executions == null
                ? segment.totalEvents() > 0 && segment.eligibleEvents() <= keepLast.value()
                : segment.number() >= line();
    }

    /** The lowest of the last executions, which {@code keepLast} keeps; the highest number if it keeps none as a whole. */
    long line() {
        var keepLast = policy.keepLast().value();
        return executions == null || keepLast.isNone()
                ? Long.MAX_VALUE
                : executions.lowestOfLast(keepLast.value(), root.isKnown());
    }

    /** The rank of the segment, as exact as the decision under the stream's policy needs it. */
    public long rankForDecision(Segment segment) {
        if (executions == null) {
            return Place.NO_EXECUTIONS;
        }
        if (segment.number() == executions.current()) {
            return 1;
        }
        return isAmongLast(segment) ? policy.keepLast().value().value() : Long.MAX_VALUE;
    }

    /** The exact rank of an execution from the current one, which is 1, on. */
    public long rank(Segment segment) {
        return executions == null
                ? Place.NO_EXECUTIONS
                : segment == root ? executions.size() + 1L : executions.rank(segment.number());
    }

    /** Forgets an execution of a shadow. */
    public void drop(Segment segment) {
        if (executions == null || segment == root) {
            segment.changeTo(Execution.undeclared(segment.number()));
            return;
        }
        executions.remove(segment);
        if (executions.size() == 0) {
            executions = null;
        }
    }

    /** Returns true if this is a shadow: a copy to count with, from which nothing is deleted. */
    public boolean isShadow() {
        return isShadow;
    }

    /** A copy for forecasts of a sweep; deleting from it changes nothing but its own counts and heads. */
    public StreamState shadow() {
        StreamState copy = new StreamState(stream, sid, policy, arrangement, true);
        copy.isHeld = isHeld;
        copy.root = root.shadow(copy);
        if (executions != null) {
            Executions copies = new Executions();
            executions.all().forEach(segment -> copies.put(segment.shadow(copy)));
            copy.executions = copies;
        }
        return copy;
    }

    /** In a shadow: forgets the executions that a sweep forgets because nothing is left of them. */
    public void forgetEmptied(long nowMs, Consumer<Execution> listener) {
        for (Segment segment : segments()) {
            boolean isOver = isWithoutEvents(segment) && RetentionDecider.isPast(nextDueMs(segment), nowMs);
            if (isOver) {
                listener.accept(segment.execution());
            }
            if (isOver || (segment != root && !segment.isKnown())) {
                drop(segment);
            }
        }
    }

    @Override
    public String toString() {
        return stream.toString();
    }

    public long nextSeq() {
        return nextSeq;
    }

    public long lastStoredAt() {
        return lastStoredAt;
    }

    public Arrangement arrangement() {
        return arrangement;
    }

    public int sid() {
        return sid;
    }

    public Segment root() {
        return root;
    }

    public @Nullable Executions executions() {
        return executions;
    }

    public @Nullable Move move() {
        return move;
    }

    long formerDeletedMs() {
        return formerDeletedMs;
    }

    /** Notes that an event was stored with that number and time, which are the last ones if they are the highest. */
    public void stored(long seq, long storedAtMs) {
        if (seq < nextSeq) {
            revise();
        }
        nextSeq = Math.max(nextSeq, seq + 1);
        lastStoredAt = Math.max(lastStoredAt, storedAtMs);
    }

    /**
     * Leaves a number of the order of arrival out: an event comes back under its own, and a plan of the whole stream, which
     * is known by the next number, must not cover what it has not listed (T-6).
     */
    public void skipSeq() {
        nextSeq++;
    }

    /** Keeps events of the stream, which has none yet, from being stored with an earlier time, epoch milliseconds. */
    void startAt(long storedAtMs) {
        lastStoredAt = storedAtMs;
    }

    /** Notes that a stream of that name was deleted at that time, epoch milliseconds; -1 if none was. */
    void follow(long deletedMs) {
        formerDeletedMs = deletedMs;
    }

    /** Notes that the events stand in that arrangement, now or from now on. */
    public void arrange(Arrangement other) {
        arrangement = other;
    }

    /** Notes that events are put into another arrangement from now on. */
    public void beginMove(Move begun) {
        move = begun;
        segments().forEach(segment -> segment.beginMove(new Heads()));
    }

    /** Notes a move that has begun before. */
    void goOnWith(Move begun) {
        move = begun;
    }

    /** Notes that no event has to be moved any more. */
    public void endMove() {
        move = null;
    }

    public void belongTo(StreamName other) {
        parent = other;
    }

    /** Keeps retention from deleting anything from the stream; null ends that. */
    public void setQuarantine(@Nullable Quarantine other) {
        quarantine = other;
    }

    /** Replaces the executions above 0; null if there are none. */
    public void setExecutions(@Nullable Executions others) {
        executions = others;
    }

    /**
     * Notes that a prune over many streams has begun with this one. It takes each stream once: events that come later
     * may put the stream behind those that it has still to look for.
     */
    public void beginPrune(String commandId) {
        lastPrune = keyOf(commandId);
    }

    /** Returns true if that prune over many streams is the last one that has begun with this stream. */
    public boolean isPrunedBy(String commandId) {
        // A search asks this of every stream, and few have been pruned: these alone cost a hash.
        return lastPrune != NO_PRUNE && lastPrune == keyOf(commandId);
    }

    /** Key of the last prune over many streams that has begun here; {@link #NO_PRUNE} if there is none. */
    long lastPrune() {
        return lastPrune;
    }

    /** Notes a prune over many streams that has begun before. */
    void goOnWithPrune(long key) {
        lastPrune = key;
    }

    /** Half of a hash: two commands with one key would have to prune the stream one right after the other. */
    private static long keyOf(String commandId) {
        return UUID.nameUUIDFromBytes(commandId.getBytes(StandardCharsets.UTF_8))
                .getMostSignificantBits();
    }
}
