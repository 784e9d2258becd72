package dev.ebb.store;

import dev.ebb.domain.event.StreamName;
import dev.ebb.domain.retention.SweepBudget;
import dev.ebb.store.events.StaleWork;
import dev.ebb.store.index.Mark;
import dev.ebb.store.state.Segment;
import dev.ebb.store.state.StreamState;
import dev.ebb.store.state.StreamTable;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Adds up the stale work of a partition in slices, stream by stream: pinned events as counted before, and all events
 * protected by executions that have been open too long. Belongs to the thread of the task.
 */
public final class StaleCount {

    private static final Comparator<OfStream> FEWEST_FIRST = Comparator.comparingLong(OfStream::events)
            .thenComparing(of -> of.stream().value(), Comparator.reverseOrder());

    private final StreamTable streams;
    private final StaleWork pinned;
    private final long beforeMs;
    private final int mostStreams;
    private final PriorityQueue<OfStream> most = new PriorityQueue<>(FEWEST_FIRST);
    private long events;
    private long nextOpenMs = Long.MAX_VALUE;
    private int sid;

    /**
     * The next stream with open executions; null if it is not known. It may be a copy, so that the count drives no stream
     * out of memory. The copy of a stream that is under way stays until the stream is done.
     */
    private @Nullable StreamState working;

    private boolean isLastWorking;

    /**
     * The stream whose open executions are being added up; the next execution and the events protected so far follow.
     */
    private int workingSid;

    private long nextExecution;
    private long locked;

    StaleCount(StreamTable streams, StaleWork pinned, long beforeMs, int mostStreams) {
        this.streams = streams;
        this.pinned = pinned;
        this.beforeMs = beforeMs;
        this.mostStreams = mostStreams;
    }

    private record OfStream(StreamName stream, long events) {}

    /** Continues until the budget is spent; returns true if all streams have been looked at. */
    public boolean run(SweepBudget budget) {
        if (workingSid <= sid) {
            working = null;
        }
        isLastWorking = false;
        for (int next = next(); next > 0; next = next()) {
            if (budget.isSpent()) {
                return false;
            }
            StreamState stream = working != null && working.sid() == next ? working : null;
            if (stream != null && !addLocked(stream, budget)) {
                return false;
            }
            StreamName name = stream == null ? streams.presentName(next) : stream.stream();
            sid = next;
            count(name, pinned.bySid().of(next) + (stream == null ? 0 : locked));
            budget.spendStep();
        }
        return true;
    }

    /**
     * Returns a time before which none of the events that are not yet stale became protected, as far as the count has
     * come and unless something is stored; epoch milliseconds. It may be earlier than necessary.
     */
    public long nextSinceMs() {
        return Math.min(nextOpenMs, pinned.nextSinceMs());
    }

    /** Returns the number of stale events, as far as the count has come. */
    public long events() {
        return events;
    }

    /** Returns the streams with the most stale events, in descending order. */
    public Map<StreamName, Long> most() {
        Map<StreamName, Long> biggest = new LinkedHashMap<>();
        most.stream().sorted(FEWEST_FIRST.reversed()).forEach(of -> biggest.put(of.stream(), of.events()));
        return biggest;
    }

    /** Returns the number of the next stream; 0 if there is none. */
    private int next() {
        if (!isLastWorking && (working == null || working.sid() <= sid)) {
            working = streams.glanceMarked(Mark.WORKING, sid);
            isLastWorking = working == null;
        }
        int waiting = pinned.bySid().after(sid);
        if (working == null || working.sid() <= sid) {
            return waiting;
        }
        return waiting == 0 ? working.sid() : Math.min(working.sid(), waiting);
    }

    private void count(@Nullable StreamName stream, long stale) {
        if (stream == null || stale == 0) {
            return;
        }
        events += stale;
        most.add(new OfStream(stream, stale));
        if (most.size() > mostStreams) {
            most.remove();
        }
    }

    /** Returns false if the budget ended the slice. */
    private boolean addLocked(StreamState stream, SweepBudget budget) {
        if (workingSid != stream.sid()) {
            workingSid = stream.sid();
            nextExecution = 0;
            locked = 0;
        }
        Segment segment = stream.nextOpen(nextExecution);
        while (segment != null && !budget.isSpent()) {
            add(segment);
            nextExecution = segment.number() + 1;
            budget.spendStep();
            segment = stream.nextOpen(nextExecution);
        }
        return segment == null;
    }

    private void add(Segment segment) {
        if (segment.openSinceMs() >= beforeMs) {
            nextOpenMs = Math.min(nextOpenMs, segment.openSinceMs());
        } else if (segment.openSinceMs() > 0) {
            locked += segment.lockedEvents();
        }
    }
}
