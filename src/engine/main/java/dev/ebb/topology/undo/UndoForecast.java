package dev.ebb.topology.undo;

import dev.ebb.domain.event.EventFacts;
import dev.ebb.domain.event.ExecutedEvent;
import dev.ebb.domain.event.Execution;
import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.PolicySet;
import dev.ebb.domain.retention.Place;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.layout.EventHeader;
import dev.ebb.store.state.StreamState;
import dev.ebb.topology.undo.PushedOut.Fate;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Forecast of the number of events of one stream that would be due at once if some came back (T-3). Each returning
 * event is decided by its age and own TTL; then the stream as it would be is compared with {@code keepLast} and the
 * caps. The forecast keeps sums by execution and no events: where bytes are over their cap, the number of events that
 * would go is derived from their average size. Events that caps take from the stream anyway, because no sweep has come
 * to it yet, are not due because of the return, so the answer is the same before and after that sweep. Not thread-safe.
 */
final class UndoForecast {

    /** The place of an event that every cap takes, if no guard keeps it. */
    private static final Place OVER_ALL_CAPS = new Place(Long.MAX_VALUE, Long.MAX_VALUE, 0, 0);

    /**
     * Time from the beginning of an undo during which nothing that came back may be due, so that readers have the
     * chance to see the events, in SQL as well, which may take two minutes (T-4). An undo of many millions may take
     * longer; events that it brings back after that time are merely not due yet.
     */
    private static final long NOTICE_MS = Duration.ofMinutes(5).toMillis();

    private final EffectivePolicy policy;
    private final AgeGuards guards;
    private final LastExecutions last;
    private final boolean isSafe;
    private final long dueMs;
    private final TreeMap<Long, Sums> byExecution = new TreeMap<>();
    private long events;
    private long bytes;

    /**
     * @param policies the policies in force
     * @param dueMs the time for which the forecast is made, see {@link #dueMs(long, long)}
     */
    UndoForecast(StreamName stream, PolicySet policies, long dueMs) {
        this.policy = policies.effective(stream);
        this.guards = new AgeGuards(policy, dueMs);
        this.last = new LastExecutions(policy);
        this.isSafe = policies.isHeld(stream) || !policy.isEnforced();
        this.dueMs = dueMs;
    }

    /**
     * Returns the time until which nothing that comes back may fall due, epoch milliseconds: the same for the count and
     * the return, so that a long undo leaves out nothing that was counted.
     *
     * @param pointMs the time at which the undo began
     */
    static long dueMs(long pointMs, long nowMs) {
        return Math.max(nowMs, pointMs + NOTICE_MS);
    }

    /** Returns true if the other events of a stream decide which of its events are due. */
    static boolean isNeeded(EffectivePolicy policy) {
        return !policy.keepLast().value().isNone()
                || !policy.mostEvents().isNone()
                || !policy.mostBytes().isNone();
    }

    /** Sums of the events of one execution that come back. */
    private static final class Sums {

        private long all;

        /** Events that retention may take at all. */
        private long eligible;

        /** Events that age or an own TTL takes unless {@code keepLast} keeps them. */
        private long aged;

        /** Other events that a cap may take unless {@code keepLast} keeps them. */
        private long loose;

        private long looseBytes;
    }

    /**
     * Adds an event that would come back.
     *
     * @param execution the execution of the event as it would be then
     */
    Fate add(EventHeader event, Execution execution) {
        events++;
        bytes += event.sizeBytes();
        Sums sums = byExecution.computeIfAbsent(event.execution(), number -> new Sums());
        sums.all++;
        EventFacts facts =
                event.execution() == 0 && execution.isTerminal() ? event : new ExecutedEvent(event, execution);
        if (isSafe || facts.isProtected()) {
            return Fate.SAFE;
        }
        sums.eligible++;
        if (RetentionDecider.decide(facts, Place.WITHIN_CAPS, policy, dueMs).isRemove()) {
            sums.aged++;
            return Fate.AGED;
        }
        if (RetentionDecider.decide(facts, OVER_ALL_CAPS, policy, dueMs).isRemove()) {
            sums.loose++;
            sums.looseBytes += event.sizeBytes();
            return Fate.LOOSE;
        }
        return Fate.SAFE;
    }

    /** Adds an execution that would come back, whether or not any of its events does. */
    void add(long execution) {
        byExecution.computeIfAbsent(execution, number -> new Sums());
    }

    /** Returns the number of last executions that decide which events are due: caps spare at least the current one. */
    long lastThatCount() {
        return Math.max(1, last.keepLast());
    }

    /** Returns the number of events that would come back. */
    long events() {
        return events;
    }

    long bytes() {
        return bytes;
    }

    /**
     * Returns the number of events that would be due at once.
     *
     * @param stream the stream as it is; null if there is none
     */
    long due(@Nullable StreamState stream) {
        return pushedOut(stream).due();
    }

    /**
     * Returns the events that would be due at once.
     *
     * @param stream the stream as it is; null if there is none
     */
    PushedOut pushedOut(@Nullable StreamState stream) {
        if (isSafe || byExecution.isEmpty()) {
            return PushedOut.NONE;
        }
        return hasExecutions(stream) ? dueOfExecutions(stream) : dueOfOne(stream);
    }

    /** Returns true if an event of that execution comes back while the given events stay away. */
    boolean bringsAnyOf(long execution, PushedOut away) {
        Sums sums = byExecution.get(execution);
        if (sums == null) {
            return false;
        }
        long aged = execution < away.agedBelow() ? sums.aged : 0;
        long loose = execution < away.looseBelow() ? Math.min(sums.loose, away.firstLoose()) : 0;
        return sums.all > aged + loose;
    }

    /** Returns true if {@code keepLast} keeps the stored events of that execution once the added ones are back. */
    boolean stillKeeps(long execution, StreamState stream) {
        if (isSafe) {
            return true;
        }
        return hasExecutions(stream)
                ? execution >= last.lowestKept(byExecution.navigableKeySet(), stream)
                : stream.root().eligibleEvents() + byExecution.firstEntry().getValue().eligible <= last.keepLast();
    }

    private boolean hasExecutions(@Nullable StreamState stream) {
        return byExecution.lastKey() > 0 || (stream != null && stream.executions() != null);
    }

    /** Returns the due events of a stream without executions, where {@code keepLast} counts events. */
    private PushedOut dueOfOne(@Nullable StreamState stream) {
        Sums sums = byExecution.firstEntry().getValue();
        CapBacklog backlog = CapBacklog.of(stream, policy, guards, last);
        long live = live(stream, backlog);
        long aged = agedOfOne(live);
        boolean mayLiveGo = stream != null && !backlog.isRestGuarded() && !guards.keep(stream.root());
        // Events that minAge keeps are among the last ones as well.
        long mayGo = Math.max(0, live + sums.eligible - aged - last.keepLast());
        mayGo = Math.min(mayGo, sums.loose + (mayLiveGo ? live : 0));
        long over = Math.min(mayGo, overCaps(stream, backlog, aged, sums.looseBytes, sums.loose));
        return new PushedOut(aged + over, Long.MIN_VALUE, aged, Long.MAX_VALUE, Math.min(sums.loose, over));
    }

    private static long live(@Nullable StreamState stream, CapBacklog backlog) {
        return stream == null ? 0 : stream.root().eligibleEvents() - backlog.events();
    }

    /**
     * Returns the number of events that age or an own TTL takes from a stream without executions: younger ones count
     * against {@code keepLast} first.
     */
    private long agedOfOne(long live) {
        Sums sums = byExecution.firstEntry().getValue();
        long younger = live + sums.eligible - sums.aged;
        return Math.max(0, sums.aged - Math.max(0, last.keepLast() - younger));
    }

    /**
     * Returns the due events of a stream with executions: {@code keepLast} counts whole executions, and caps spare the
     * current one.
     */
    private PushedOut dueOfExecutions(@Nullable StreamState stream) {
        long aged = 0;
        long loose = 0;
        long looseBytes = 0;
        long kept = last.lowestKept(byExecution.navigableKeySet(), stream);
        long spared = Math.min(kept, last.current(byExecution.navigableKeySet(), stream));
        for (Map.Entry<Long, Sums> entry : byExecution.headMap(kept, false).entrySet()) {
            boolean isSpared = entry.getKey() >= spared;
            aged += entry.getValue().aged;
            loose += isSpared ? 0 : entry.getValue().loose;
            looseBytes += isSpared ? 0 : entry.getValue().looseBytes;
        }
        CapBacklog backlog = CapBacklog.of(stream, policy, guards, last);
        long over = overCaps(stream, backlog, aged, looseBytes, loose);
        long live = stream == null ? 0 : live(stream, backlog, spared, over - loose);
        return new PushedOut(aged + Math.min(loose + live, over), kept, 0, spared, Math.min(loose, over));
    }

    /**
     * Returns the number of stored events, beyond the backlog, that caps may take once all are back.
     *
     * @param spared the lowest execution that is spared then
     * @param most the count ends there
     */
    private long live(StreamState stream, CapBacklog backlog, long spared, long most) {
        // Those that are spared by now may not be any more; all others have a guard of their own.
        long from = backlog.isRestGuarded() && stream.executions() != null ? last.sparedNow(stream) : 0;
        long gone = from == 0 ? backlog.events() : 0;
        return most <= 0 ? 0 : Math.max(0, guards.free(stream, from, spared, gone + most) - gone);
    }

    /** Number of events by which the stream would be over its caps if its backlog were gone. */
    private long overCaps(@Nullable StreamState stream, CapBacklog backlog, long aged, long looseBytes, long loose) {
        long allEvents = events - aged - backlog.events() + (stream == null ? 0 : stream.totalEvents());
        long allBytes = bytes - backlog.bytesOver() + (stream == null ? 0 : stream.totalBytes());
        if (!policy.isOverCap(allEvents, allBytes)) {
            return 0;
        }
        long byEvents = CapBacklog.over(policy.mostEvents(), allEvents);
        long average = Math.max(1, loose == 0 ? allBytes / Math.max(1, allEvents) : looseBytes / loose);
        long byBytes = (CapBacklog.over(policy.mostBytes(), allBytes) + average - 1) / average;
        return Math.max(1, Math.max(byEvents, byBytes));
    }
}
