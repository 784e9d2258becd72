package dev.ebb.store.state;

import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.event.TerminalStatuses;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.retention.Cover;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.index.Agenda;
import dev.ebb.store.index.Mark;
import dev.ebb.store.layout.Arrangement;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.layout.Grave;
import dev.ebb.store.layout.Location;
import dev.ebb.store.layout.Position;
import dev.ebb.store.layout.Quarantine;
import dev.ebb.store.layout.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory of one stream: its usage, its executions, and its policy. Written only by the {@code EventStore} that owns
 * it, on the thread of its task.
 */
public final class StreamState {

    /** The end of the notice where there is none. */
    public static final long NO_NOTICE = -1;

    private final int sid;
    private Segment root = new Segment(this, 0);

    private @Nullable Executions executions;

    private Arrangement arrangement;

    private @Nullable Move move;

    /** True if SQL has rows of what comes; during a move, of what was there before as far as the move has come. */
    private boolean hasRows = true;

    /** The stream that this one belongs to; null if none was ever named. */
    private @Nullable StreamName parent;

    private long nextSeq;
    private long lastStoredAt;

    /**
     * The time of the last delete of a stream of this name, epoch milliseconds, see {@link Graves}; -1 if none is
     * known. Not saved.
     */
    private long formerDeletedMs = -1;

    /** The number of ends that wait beside the grave of a stream of this name. Not saved. */
    private int waitingEnds;

    private final LatestCompletion completion = new LatestCompletion();
    private SweepMemory sweepMemory = SweepMemory.NOTHING;

    /** The passes through the stream, which receive all events that come and go; null if there are none. */
    private @Nullable List<StreamPass> passes;

    /** The figures that disagree with the events, so that a recount is needed; null if none are known. */
    private @Nullable String suspicion;

    private Consumer<StreamState> suspicionListener = stream -> {};

    /** The reason why the stream is not swept until an operator has looked at it; null if nothing is wrong. */
    private @Nullable Quarantine quarantine;

    /**
     * The last millisecond of the notice under which events stand that an undo has brought back, epoch milliseconds;
     * {@link #NO_NOTICE} if there is none. It covers the whole stream: an event does not tell whether it came back.
     */
    private long noticeUntilMs = NO_NOTICE;

    /**
     * The number of changes that may leave all other figures in the stream's record as they were, see {@link #revise}.
     */
    private long revision;

    /** True if the partition no longer knows the stream. */
    private boolean isGone;

    /** The time of the stream's wake-up in the store, epoch milliseconds; {@link Agenda#NEVER} if it has none. */
    private long wakeMs = Agenda.NEVER;

    /** The marks of the stream in the store, see {@code Mark.bit}. */
    private int marks;

    /** The bytes as which the cache counts the stream; 0 while it is not in the cache. */
    private long cachedBytes;

    private final HeapPlace<StreamState> heapPlace = new HeapPlace<>(this);

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

    /** Returns the policy of the stream; follows the policies in force with a short delay. */
    public EffectivePolicy policy() {
        return policy;
    }

    /** Returns true if a hold covers the stream. */
    public boolean isHeld() {
        return isHeld;
    }

    /** Returns the cover over the stream at {@code nowMs}. */
    public Cover cover(long nowMs) {
        return coverIf(isHeld, nowMs);
    }

    /**
     * Returns the cover over the stream at {@code nowMs} under other holds.
     *
     * @param wouldBeHeld true if a hold would cover the stream
     */
    public Cover coverIf(boolean wouldBeHeld, long nowMs) {
        return wouldBeHeld ? Cover.HOLD : isUnderNotice(nowMs) ? Cover.NOTICE : Cover.NONE;
    }

    /** Returns true if events that came back stand under a notice at {@code nowMs}, whose last millisecond counts. */
    public boolean isUnderNotice(long nowMs) {
        return !RetentionDecider.isPast(noticeUntilMs, nowMs);
    }

    /** Returns the last millisecond of the last notice, epoch milliseconds; {@link #NO_NOTICE} if there was none. */
    public long noticeUntilMs() {
        return noticeUntilMs;
    }

    /** Puts the stream under a notice until then, inclusive, epoch milliseconds; a later end stays. */
    public void giveNotice(long untilMs) {
        noticeUntilMs = Math.max(noticeUntilMs, untilMs);
    }

    /** Ends the notice of a shadow, to see what the policy decides without it. */
    public void withdrawNotice() {
        noticeUntilMs = NO_NOTICE;
    }

    /** Returns the stream that this one belongs to; null if none was ever named. */
    public @Nullable StreamName parent() {
        return parent;
    }

    public void setPolicy(EffectivePolicy newPolicy, boolean newIsHeld) {
        policy = newPolicy;
        isHeld = newIsHeld;
        sweepMemory = sweepMemory.withoutCaps();
        changeAll();
    }

    /** Returns the number of all events, including protected ones. */
    public long totalEvents() {
        return root.totalEvents()
                + (executions == null ? 0 : executions.totals().events());
    }

    /** Returns the size of all events in bytes. */
    public long totalBytes() {
        return root.totalBytes() + (executions == null ? 0 : executions.totals().bytes());
    }

    /** Returns the number of events that are protected by their own status or that of their execution. */
    public long protectedEvents() {
        return count(Range.PINNED) + root.lockedEvents() + (executions == null ? 0 : executions.locked());
    }

    /** Returns the number of executions above 0, plus 1 if execution 0 was declared; otherwise 0 is only a name. */
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

    /** Returns the number of executions that are not terminal. */
    public long openExecutions() {
        return (root.execution().isTerminal() ? 0L : 1L) + (executions == null ? 0 : executions.open());
    }

    /** Returns the lowest executions that are not terminal, at most {@code most}. */
    public List<Execution> firstOpen(int most) {
        List<Execution> open = new ArrayList<>();
        Segment next = nextOpen(0);
        while (next != null && open.size() < most) {
            open.add(next.execution());
            next = nextOpen(next.number() + 1);
        }
        return open;
    }

    /** Returns the number of events that their own status protects. */
    public long openEvents() {
        return count(Range.PINNED);
    }

    /** Returns true if nothing is known of the stream any more. */
    public boolean isEmpty() {
        return executions == null && !root.isKnown();
    }

    /** Returns true if the pinned range holds exactly the events that these terminal statuses protect. */
    public boolean isSortedBy(TerminalStatuses statuses) {
        return arrangement.statuses() == statuses.fingerprint() && !isBeingSorted();
    }

    /** Returns true if the events are moving into another arrangement: sweeps wait for the end of the move. */
    public boolean isMoving() {
        return move != null;
    }

    /**
     * Returns true if another set of terminal statuses is being applied, so that the protected events are not known yet
     * (M-3).
     */
    public boolean isBeingSorted() {
        return move != null && move.isSorting();
    }

    /**
     * Returns true if SQL has rows of the events of the stream (F-13). A move leads from one choice to the other: until its end, SQL
     * may have rows of a stream that has none, and lack rows of one that has them.
     */
    public boolean hasRows() {
        return hasRows;
    }

    /** Returns false if SQL has no row of the stream for certain. */
    public boolean mayHaveRows() {
        return hasRows || isMoving();
    }

    /** Notes whether SQL has rows of what comes from now on. */
    public void giveRows(boolean newHasRows) {
        hasRows = newHasRows;
    }

    /**
     * Returns true if the stream holds more than its policy allows and may have events that caps may take, now or
     * later.
     */
    boolean isOverCap() {
        return policy.isOverCap(totalEvents(), totalBytes()) && eligibleForCaps() > 0;
    }

    /**
     * Returns true if a sweep at {@code nowMs} has to look at the stream, whatever the mode of its policy. Reads no
     * event.
     */
    public boolean mayLose(long nowMs) {
        return !isUnderNotice(nowMs) && (firstDue(nowMs) != null || isOverCap());
    }

    /** Returns a time before which caps take nothing, as far as known, epoch milliseconds; 0: at once. */
    long capsBlockedUntilMs() {
        return Math.max(sweepMemory.capsBlockedUntilMs(), noticeUntilMs + 1);
    }

    /**
     * Returns the number of events that caps may take, or a higher one: in a stream with executions, events of the
     * current and of open executions count, too.
     */
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

    /** Returns the number of events that asked for no expiration where the policy does not allow it. */
    public long wishes() {
        return root.totals().wishes()
                + (executions == null ? 0 : executions.totals().wishes());
    }

    /** Returns the execution with this number; null if nothing is known of it. Execution 0 always exists. */
    public @Nullable Segment segment(long number) {
        return number == 0 ? root : executions == null ? null : executions.of(number);
    }

    /** Returns the executions by number, lowest first, including execution 0; a copy. */
    public List<Segment> segments() {
        if (executions == null) {
            return List.of(root);
        }
        List<Segment> all = new ArrayList<>(executions.size() + 1);
        all.add(root);
        all.addAll(executions.all());
        return all;
    }

    /**
     * Returns the execution with this number or the next higher one; null if there is none. For a walk during which
     * executions may come and go.
     */
    public @Nullable Segment segmentFrom(long number) {
        if (number == 0) {
            return root;
        }
        return executions == null || number < 0 ? null : executions.from(number);
    }

    private Iterable<Segment> others() {
        return executions == null ? List.of() : executions.all();
    }

    /** Notes that the partition no longer knows the stream, even if this object is still in use. */
    void leaveForGood() {
        isGone = true;
    }

    /** Returns true if the partition no longer knows the stream: it was deleted, or nothing is left of it. */
    public boolean isGone() {
        return isGone;
    }

    /** Attaches a pass, which receives every change from now on. */
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

    /** Returns true if a pass is under way that must receive changes. */
    public boolean isPassedThrough() {
        return passes != null;
    }

    /** Notes that an event has come to this place (1) or has left it (-1). */
    public void note(Segment segment, EventHeader event, Location location, int sign) {
        if (passes != null) {
            for (StreamPass pass : passes) {
                pass.note(segment.number(), event, location, sign);
            }
        }
    }

    /**
     * Notes a change that may leave counts, sizes and heads as they were: an event was rewritten or put back, or an
     * execution above 0 has changed. Readers keep what they derived from a record until the record changes.
     */
    public void revise() {
        revision++;
    }

    /** Returns the number of such changes; 0 in most streams. */
    long revision() {
        return revision;
    }

    /** Continues from the number in a record. */
    void goOnFrom(long formerRevision) {
        revision = formerRevision;
    }

    /** Forgets what earlier sweeps and searches have found, which no record holds. */
    void forgetFindings() {
        sweepMemory = SweepMemory.NOTHING;
        completion.keep(null);
    }

    /** Notes that the events have moved or were recounted. */
    public void rearranged() {
        revise();
        forgetFindings();
        if (passes != null) {
            passes.forEach(StreamPass::rearranged);
        }
    }

    /** Notes that usage and events disagree: the stream is neither swept nor pruned until a recount. */
    public void suspect(String finding) {
        if (suspicion == null) {
            suspicion = finding;
            suspicionListener.accept(this);
        }
    }

    void reportSuspicionTo(Consumer<StreamState> listener) {
        suspicionListener = listener;
    }

    /** Returns the figures that disagree with the events; null if none are known. */
    public @Nullable String suspicion() {
        return suspicion;
    }

    public void trust() {
        suspicion = null;
    }

    /** Returns true if the events must be recounted before anything is deleted. */
    public boolean isSuspect() {
        return suspicion != null;
    }

    /**
     * Returns the reason why nothing is deleted from the stream until an operator has looked at it; null if nothing is
     * wrong.
     */
    public @Nullable Quarantine quarantine() {
        return quarantine;
    }

    /** Notes that the segment has changed: it must be saved, and its due time may differ. */
    public void change(Segment segment) {
        if (executions != null && segment != root) {
            revise();
            executions.change(segment);
            executions.unsettle(segment);
        }
    }

    /** Notes that all due times may have changed. */
    public void changeAll() {
        root.unguard();
        changeDue(others());
    }

    /**
     * Notes that the last executions may have changed, which determines the due times of the executions in between.
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
            segment.unguard();
            Objects.requireNonNull(known).change(segment);
        }
    }

    /**
     * Returns the time at which the first event falls due, epoch milliseconds; {@link RetentionDecider#NEVER} if none
     * ever does.
     */
    long firstDueMs() {
        long dueMs = nextDueMs(root);
        long firstMs = executions == null
                ? dueMs
                : Math.min(dueMs, executions.index(this).firstDueMs());
        return Math.max(firstMs, noticeUntilMs);
    }

    /** Returns the lowest execution with something due at {@code nowMs}; null if there is none. */
    public @Nullable Segment firstDue(long nowMs) {
        if (isUnderNotice(nowMs)) {
            return null;
        }
        if (RetentionDecider.isPast(nextDueMs(root), nowMs)) {
            return root;
        }
        return executions == null ? null : executions.index(this).due(nowMs);
    }

    /** Returns the lowest execution from this number on that holds eligible events; null if there is none. */
    public @Nullable Segment nextEligible(long number) {
        if (number == 0 && root.eligibleEvents() > 0) {
            return root;
        }
        return next(ExecutionIndex.ELIGIBLE, number);
    }

    /** Returns the lowest execution from this number on that is not terminal; null if there is none. */
    public @Nullable Segment nextOpen(long number) {
        if (number == 0 && !root.execution().isTerminal()) {
            return root;
        }
        return next(ExecutionIndex.OPEN, number);
    }

    private @Nullable Segment next(int trait, long number) {
        return executions == null || number < 0 ? null : executions.index(this).next(trait, number);
    }

    /** Adds (1) or subtracts (-1) an event. */
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

    /** Returns the latest completion of an event. */
    public LatestCompletion completion() {
        return completion;
    }

    /**
     * Notes the completion time of an event that comes or goes.
     *
     * @param completedMs the time, epoch milliseconds; null if the event is protected
     */
    public void noteCompletion(Segment segment, @Nullable Long completedMs, int sign) {
        if (completedMs != null) {
            completion.note(completedMs, sign, segment == root);
        }
    }

    /** Returns the findings of earlier sweeps. */
    public SweepMemory sweepMemory() {
        return sweepMemory;
    }

    public void remember(SweepMemory findings) {
        sweepMemory = findings;
    }

    HeapPlace<StreamState> heapPlace() {
        return heapPlace;
    }

    /**
     * Returns a time up to which, inclusive, a sweep takes nothing from the stream, epoch milliseconds; {@link
     * RetentionDecider#NEVER} if none ever does.
     */
    long firstWorkMs() {
        if (!policy.isEnforced()) {
            return RetentionDecider.NEVER;
        }
        long dueMs = firstDueMs();
        return isOverCap() && !isHeld ? Math.min(dueMs, capsBlockedUntilMs()) : dueMs;
    }

    /** Returns the marks of the stream as it is, see {@code Mark.bit}. */
    int presentMarks() {
        boolean isWorking = !root.execution().isTerminal() || (executions != null && executions.open() > 0);
        return (move != null && quarantine == null ? Mark.MOVING.bit() : 0)
                | (isWorking ? Mark.WORKING.bit() : 0)
                | (quarantine == null ? 0 : Mark.QUARANTINED.bit())
                | (policy.isEnforced() ? 0 : Mark.WARNED.bit())
                | (hasRows ? 0 : Mark.UNMIRRORED.bit());
    }

    /** Returns the marks of the stream in the store, see {@code Mark.bit}. */
    int marks() {
        return marks;
    }

    /** Notes that the store has these marks of the stream. */
    void mark(int sum) {
        marks = sum;
    }

    /** Takes over the marks of the stream's record. */
    void readMarks(int sum) {
        marks = sum;
        hasRows = (sum & Mark.UNMIRRORED.bit()) == 0;
    }

    /** Returns the time of the stream's wake-up in the store; {@link Agenda#NEVER} if it has none. */
    long wakeMs() {
        return wakeMs;
    }

    /** Notes that the store has this wake-up of the stream. */
    void wakeAt(long timeMs) {
        wakeMs = timeMs;
    }

    boolean isCached() {
        return cachedBytes > 0;
    }

    long cachedBytes() {
        return cachedBytes;
    }

    /** Notes as how many bytes the cache counts the stream; 0: it has left the cache. */
    void cacheAs(long bytes) {
        cachedBytes = bytes;
    }

    /** Returns true if work is under way that must end before the stream leaves the cache. */
    boolean isInWork() {
        return heapPlace.isTaken || passes != null || suspicion != null;
    }

    /**
     * Returns a time up to which, inclusive, no event of the segment goes by age or own TTL, whatever the notice of the
     * stream; {@link RetentionDecider#NEVER} if none ever does.
     */
    public long nextDueMs(Segment segment) {
        if (isHeld || !segment.execution().isTerminal() || isAmongLast(segment)) {
            return RetentionDecider.NEVER;
        }
        if (isWithoutEvents(segment)) {
            // The events may have moved to other executions and left their heads behind.
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

    /**
     * Returns the time at which an execution without events goes: a terminal one goes when it is older than {@code
     * maxAge} (M-5), and its end no longer waits for events.
     */
    private long emptyDueMs(Segment segment) {
        Long completedAt = segment.execution().completedAt();
        return completedAt == null
                ? RetentionDecider.NEVER
                : Math.max(segment.awaitsUntilMs(), RetentionDecider.removableByAgeMs(completedAt, policy));
    }

    public static boolean isWithoutEvents(Segment segment) {
        return segment.execution().isDeclared() && segment.totalEvents() == 0;
    }

    /** Returns true if {@code keepLast} keeps the whole segment: one of the last executions, or few enough events. */
    private boolean isAmongLast(Segment segment) {
        var keepLast = policy.keepLast().value();
        if (keepLast.isNone()) {
            return false;
        }
        return executions == null
                ? segment.totalEvents() > 0 && segment.eligibleEvents() <= keepLast.value()
                : segment.number() >= line();
    }

    /**
     * Returns the lowest of the last executions, which {@code keepLast} keeps; {@link Long#MAX_VALUE} if it keeps no
     * execution as a whole.
     */
    long line() {
        var keepLast = policy.keepLast().value();
        return executions == null || keepLast.isNone()
                ? Long.MAX_VALUE
                : executions.lowestOfLast(keepLast.value(), root.isKnown());
    }

    /** Returns the rank of the segment, as exact as a decision under the stream's policy needs it. */
    public long rankForDecision(Segment segment) {
        if (executions == null) {
            return Place.NO_EXECUTIONS;
        }
        if (segment.number() == executions.current()) {
            return 1;
        }
        return isAmongLast(segment) ? policy.keepLast().value().value() : Long.MAX_VALUE;
    }

    /** Returns the exact rank of an execution, counted from 1 for the current one. */
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

    /** Returns true if this is a shadow: a copy for counting, from which nothing is deleted. */
    public boolean isShadow() {
        return isShadow;
    }

    /** Returns a copy for forecasts of a sweep; a delete from it changes only its own counts and heads. */
    public StreamState shadow() {
        StreamState copy = new StreamState(stream, sid, policy, arrangement, true);
        copy.isHeld = isHeld;
        copy.noticeUntilMs = noticeUntilMs;
        copy.root = root.shadow(copy);
        if (executions != null) {
            Executions copies = new Executions();
            executions.all().forEach(segment -> copies.put(segment.shadow(copy)));
            copy.executions = copies;
        }
        return copy;
    }

    /** In a shadow, forgets the executions that a sweep would forget because nothing is left of them. */
    public void forgetEmptied(long nowMs, Consumer<Execution> listener) {
        for (Segment segment : segments()) {
            boolean isOver = !isUnderNotice(nowMs)
                    && isWithoutEvents(segment)
                    && RetentionDecider.isPast(nextDueMs(segment), nowMs);
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

    /** Returns the time of the last delete of a stream of this name, epoch milliseconds; -1 if none is known. */
    public long formerDeletedMs() {
        return formerDeletedMs;
    }

    /** Returns the number of ends of executions that wait beside the grave of a stream of this name. */
    public int waitingEnds() {
        return waitingEnds;
    }

    /**
     * Notes that an event was stored with this number and time. Only a number or time above all earlier ones becomes
     * the last.
     */
    public void stored(long seq, long storedAtMs) {
        if (seq < nextSeq) {
            revise();
        }
        nextSeq = Math.max(nextSeq, seq + 1);
        lastStoredAt = Math.max(lastStoredAt, storedAtMs);
    }

    /**
     * Skips a number in the order of arrival. An event comes back under its own number, and a plan of the whole stream,
     * which is identified by the next number, must not cover an event that it has not listed (T-6).
     */
    public void skipSeq() {
        nextSeq++;
    }

    /**
     * Sets the beginning of the stream, which has no events yet.
     *
     * @param storedAtMs the earliest storage time for its events, epoch milliseconds
     * @param seq the place of its first event in the order of arrival
     */
    void startAt(long storedAtMs, long seq) {
        lastStoredAt = storedAtMs;
        nextSeq = seq;
    }

    /** Notes the grave of a former stream of this name; null if there is none. */
    public void follow(@Nullable Grave grave) {
        formerDeletedMs = grave == null || grave.isLifted() ? -1 : grave.deletedAtMs();
        waitingEnds = grave == null ? 0 : grave.ends();
    }

    /** Notes that the events lie in this arrangement, now or from now on. */
    public void arrange(Arrangement other) {
        arrangement = other;
    }

    /** Notes that events are put into another arrangement from now on. */
    public void beginMove(Move begun) {
        move = begun;
        segments().forEach(segment -> segment.beginMove(new Heads()));
    }

    /** Restores a move that began earlier. */
    void goOnWith(Move begun) {
        move = begun;
    }

    /** Notes that no event has to move any more. */
    public void endMove() {
        move = null;
    }

    public void belongTo(StreamName other) {
        parent = other;
    }

    /** Keeps retention from deleting anything from the stream; null ends the quarantine. */
    public void setQuarantine(@Nullable Quarantine other) {
        quarantine = other;
    }

    /** Replaces the executions above 0; null if there are none. */
    public void setExecutions(@Nullable Executions others) {
        executions = others;
    }
}
