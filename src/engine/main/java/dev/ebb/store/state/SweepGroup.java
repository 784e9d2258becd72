package dev.ebb.store.state;

import dev.ebb.domain.policy.Durations;
import dev.ebb.domain.policy.SweepWindow;
import dev.ebb.domain.retention.RetentionDecider;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The streams that are swept at one interval and in one window. Not thread-safe. */
public final class SweepGroup {

    /** Punctuations come a little early or late; a sweep is not put off to the next one for that. */
    private static final long TOLERANCE_MS = 50;

    /**
     * A report of events that would go costs a look at all due ones, again and again. Where that takes long it comes
     * less often than the policies say, so that it takes no more of the time than one part in this many.
     */
    private static final long WARN_SHARE = 20;

    private final long intervalMs;
    private final SweepWindow window;
    private final DueHeap<StreamState> heap = new DueHeap<>();
    private final Set<StreamState> overCap = new LinkedHashSet<>();
    private final Set<StreamState> warned = new LinkedHashSet<>();

    /** No stream over a cap may lose something before this time; earlier than need be where one has left since. */
    private long capsDueMs = Long.MAX_VALUE;

    private long nextFireMs;
    private long nextWarnMs;
    private long warnPauseMs;

    SweepGroup(Rhythm rhythm) {
        this.intervalMs = rhythm.intervalMs();
        this.window = rhythm.window();
    }

    /**
     * Times at which streams are swept.
     *
     * @param intervalMs the interval, in milliseconds
     * @param window the part of the day
     */
    record Rhythm(long intervalMs, SweepWindow window) {}

    /** The next stream with something due at that time; null if there is none. It stays until it is touched again. */
    public @Nullable StreamState nextDue(long nowMs) {
        return RetentionDecider.isPast(heap.firstDueMs(), nowMs) ? heap.first() : null;
    }

    /** Returns true if a sweep at that time would look at a stream at all; else the sweep is done when it begins. */
    public boolean hasWork(long nowMs) {
        return nextDue(nowMs) != null || (capsDueMs <= nowMs && !overCap.isEmpty());
    }

    /** Time before which, as things stand, neither a sweep nor a report of its deletes has anything to look at. */
    long nextWorkMs() {
        long next = overCap.isEmpty() ? heap.firstDueMs() : Math.min(heap.firstDueMs(), capsDueMs);
        return warned.isEmpty() ? next : Math.min(next, nextWarnMs);
    }

    /** Takes out the streams whose caps may take something at that time, those that went over one first. */
    public List<StreamState> takeOverCap(long nowMs) {
        if (nowMs < capsDueMs) {
            return List.of();
        }
        capsDueMs = Long.MAX_VALUE;
        List<StreamState> taken = new ArrayList<>();
        for (StreamState stream : overCap) {
            if (stream.sweepMemory().capsBlockedUntilMs() <= nowMs) {
                taken.add(stream);
            } else {
                capsDueMs = Math.min(capsDueMs, stream.sweepMemory().capsBlockedUntilMs());
            }
        }
        taken.forEach(overCap::remove);
        return taken;
    }

    /** Notes that the stream is over a cap that may take something, now or later. */
    void queueOverCap(StreamState stream) {
        overCap.add(stream);
        capsDueMs = Math.min(capsDueMs, stream.sweepMemory().capsBlockedUntilMs());
    }

    /** The streams of which sweeps only report the events that they would delete (M-16); a copy. */
    public List<StreamState> warned() {
        return List.copyOf(warned);
    }

    /** Returns true if sweeps only report for any stream. */
    public boolean isAnyWarned() {
        return !warned.isEmpty();
    }

    /** Returns true if the time has come to report the events that would be deleted. */
    public boolean isWarnDue(long nowMs) {
        return !warned.isEmpty() && Durations.isOver(nextWarnMs, warnPauseMs, nowMs) && window.isOpen(nowMs);
    }

    /**
     * Notes that a report began then; the next one comes after the interval.
     *
     * @param startedMs the time at which it began; 0: it came to nothing, and another one may begin at once
     * @param tookMs the time that it took, milliseconds; 0 if it is not done
     */
    public void warnedAt(long startedMs, long tookMs) {
        warnPauseMs = Math.max(intervalMs, WARN_SHARE * tookMs);
        nextWarnMs = Durations.after(startedMs, warnPauseMs);
    }

    /** Returns true if sweeps may run at that time. */
    public boolean isOpen(long nowMs) {
        return window.isOpen(nowMs);
    }

    /**
     * Notes that a sweep which began then has ended. The next one comes an interval after it was due: were it an interval
     * after it began, each one that begins late would put off the next to the punctuation after that.
     */
    public void swept(long startedMs) {
        long lateMs = nextFireMs == 0 ? 0 : Math.max(0, startedMs - nextFireMs);
        nextFireMs = Durations.after(startedMs, intervalMs - lateMs % intervalMs);
    }

    /** Time of the next sweep, epoch milliseconds; 0: the first, at any time; {@link Long#MAX_VALUE}: never. */
    long nextSweepMs(long nowMs) {
        return window.isAlways() ? nextFireMs : window.nextOpenMs(Math.max(nextFireMs, nowMs));
    }

    boolean isDue(long nowMs) {
        boolean isSoon = nowMs + Math.min(TOLERANCE_MS, intervalMs / 2) >= nextFireMs;
        return (isSoon || Durations.isOver(nextFireMs, intervalMs, nowMs)) && window.isOpen(nowMs);
    }

    long backlog(long nowMs, int limit) {
        return (long) heap.countBefore(nowMs, limit) + overCap.size();
    }

    DueHeap<StreamState> heap() {
        return heap;
    }

    Collection<StreamState> overCap() {
        return overCap;
    }

    Collection<StreamState> warnedStreams() {
        return warned;
    }
}
