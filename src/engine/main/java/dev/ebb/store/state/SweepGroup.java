package dev.ebb.store.state;

import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.domain.time.Durations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The streams that are swept at one interval and in one window. Not thread-safe. */
public final class SweepGroup {

    /**
     * Punctuations come a little early or late. A sweep that falls due within this time, in milliseconds, need not wait
     * for the next punctuation.
     */
    private static final long TOLERANCE_MS = 50;

    /**
     * A report of events that would go examines all due events each time. If that takes long, reports come less often
     * than the policies say, so that they take at most one part in this many of the time.
     */
    private static final long WARN_SHARE = 20;

    private final long intervalMs;
    private final SweepWindow window;
    private final DueHeap<StreamState> heap = new DueHeap<>();
    private final Set<StreamState> overCap = new LinkedHashSet<>();

    /** True if sweeps only report for a stream of the group, or did a while ago. */
    private boolean isAnyWarned;

    /** No stream over a cap can lose an event before this time. It may be too early if a stream has left since. */
    private long capsDueMs = Long.MAX_VALUE;

    private long nextFireMs;
    private long nextWarnMs;
    private long warnPauseMs;

    SweepGroup(Rhythm rhythm) {
        this.intervalMs = rhythm.intervalMs();
        this.window = rhythm.window();
    }

    /**
     * The times at which streams are swept.
     *
     * @param intervalMs the interval, in milliseconds
     * @param window the part of the day
     */
    record Rhythm(long intervalMs, SweepWindow window) {}

    /**
     * Returns the next stream with something due at {@code nowMs}; null if there is none. The stream stays in the group
     * until it is touched again.
     */
    public @Nullable StreamState nextDue(long nowMs) {
        return RetentionDecider.isPast(heap.firstDueMs(), nowMs) ? heap.first() : null;
    }

    /**
     * Returns true if a sweep at {@code nowMs} would look at any stream; otherwise the sweep is done when it begins.
     */
    public boolean hasWork(long nowMs) {
        return nextDue(nowMs) != null || (capsDueMs <= nowMs && !overCap.isEmpty());
    }

    /**
     * Returns a time before which, as things stand, neither a sweep nor a report of its deletes has anything to look
     * at.
     */
    long nextWorkMs() {
        long next = overCap.isEmpty() ? heap.firstDueMs() : Math.min(heap.firstDueMs(), capsDueMs);
        return isAnyWarned ? Math.min(next, nextWarnMs) : next;
    }

    /**
     * Takes out the streams whose caps may take something at {@code nowMs}, in the order in which they went over a cap.
     */
    public List<StreamState> takeOverCap(long nowMs) {
        if (nowMs < capsDueMs) {
            return List.of();
        }
        capsDueMs = Long.MAX_VALUE;
        List<StreamState> taken = new ArrayList<>();
        for (StreamState stream : overCap) {
            if (stream.capsBlockedUntilMs() <= nowMs) {
                taken.add(stream);
            } else {
                capsDueMs = Math.min(capsDueMs, stream.capsBlockedUntilMs());
            }
        }
        taken.forEach(overCap::remove);
        return taken;
    }

    /** Notes that the stream is over a cap that may take something, now or later. */
    void queueOverCap(StreamState stream) {
        overCap.add(stream);
        capsDueMs = Math.min(capsDueMs, stream.capsBlockedUntilMs());
    }

    /** Returns true if sweeps only report the events that they would delete for a stream of the group (M-16). */
    public boolean isAnyWarned() {
        return isAnyWarned;
    }

    /** Notes whether there is such a stream. */
    public void warn(boolean isAny) {
        isAnyWarned = isAny;
    }

    /** Returns true if it is time to report the events that would be deleted. */
    public boolean isWarnDue(long nowMs) {
        return isAnyWarned && Durations.isOver(nextWarnMs, warnPauseMs, nowMs) && window.isOpen(nowMs);
    }

    /**
     * Notes that a report began; the next one comes after the interval.
     *
     * @param startedMs the time at which the report began, epoch milliseconds; 0 if it came to nothing and another one
     *     may begin at once
     * @param tookMs the duration of the report, in milliseconds; 0 if it is not done
     */
    public void warnedAt(long startedMs, long tookMs) {
        warnPauseMs = Math.max(intervalMs, WARN_SHARE * tookMs);
        nextWarnMs = Durations.after(startedMs, warnPauseMs);
    }

    /** Returns true if sweeps may run at {@code nowMs}. */
    public boolean isOpen(long nowMs) {
        return window.isOpen(nowMs);
    }

    /**
     * Notes that a sweep has ended. The next one comes an interval after this one was due. Counted from its start
     * instead, each late sweep would put off the next one by a punctuation.
     *
     * @param startedMs the time at which the sweep began, epoch milliseconds
     */
    public void swept(long startedMs) {
        nextFireMs = nextAfter(startedMs);
    }

    private long nextAfter(long startedMs) {
        long lateMs = nextFireMs == 0 ? 0 : Math.max(0, startedMs - nextFireMs);
        return Durations.after(startedMs, intervalMs - lateMs % intervalMs);
    }

    /** Returns true if the sweep after one that began at {@code startedMs}, and is not done, is due already. */
    boolean isDueAgain(long startedMs, long nowMs) {
        return isDue(nextAfter(startedMs), nowMs);
    }

    /**
     * Returns the time of the next sweep, epoch milliseconds; 0: the first sweep, at any time; {@link Long#MAX_VALUE}:
     * never.
     */
    long nextSweepMs(long nowMs) {
        return window.isAlways() ? nextFireMs : window.nextOpenMs(Math.max(nextFireMs, nowMs));
    }

    boolean isDue(long nowMs) {
        return isDue(nextFireMs, nowMs);
    }

    private boolean isDue(long fireMs, long nowMs) {
        boolean isSoon = nowMs + Math.min(TOLERANCE_MS, intervalMs / 2) >= fireMs;
        return (isSoon || Durations.isOver(fireMs, intervalMs, nowMs)) && window.isOpen(nowMs);
    }

    long backlog(long nowMs, int limit) {
        return (long) heap.countBefore(nowMs, limit) + overCap.size();
    }

    /** Returns the number of streams that a sweep at {@code nowMs} takes, as far as the limit, and perhaps a few more. */
    long awake(long nowMs, int limit) {
        return (long) heap.countBefore(nowMs, limit) + (capsDueMs <= nowMs ? overCap.size() : 0);
    }

    DueHeap<StreamState> heap() {
        return heap;
    }

    Collection<StreamState> overCap() {
        return overCap;
    }
}
