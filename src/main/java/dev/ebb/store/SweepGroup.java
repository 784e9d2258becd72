package dev.ebb.store;

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

    /** What is only reported costs a look at all that is due, again and again; nobody needs to be told each second. */
    private static final long MIN_WARN_INTERVAL_MS = 60_000;

    private final long intervalMs;
    private final SweepWindow window;
    private final DueHeap heap = new DueHeap();
    private final Set<StreamState> overCap = new LinkedHashSet<>();
    private final Set<StreamState> warned = new LinkedHashSet<>();
    private long nextFireMs;
    private long nextWarnMs;

    SweepGroup(Rhythm rhythm) {
        this.intervalMs = rhythm.intervalMs();
        this.window = rhythm.window();
    }

    /**
     * When streams are swept.
     *
     * @param intervalMs how often, in milliseconds
     * @param window in which part of the day
     */
    record Rhythm(long intervalMs, SweepWindow window) {}

    /** The next stream with something due at that time; null if there is none. It stays until it is touched again. */
    public @Nullable StreamState nextDue(long nowMs) {
        Segment first = heap.first();
        return first != null && RetentionDecider.isPast(first.heapDueMs, nowMs) ? first.stream : null;
    }

    /** Takes out the streams whose caps may take something at that time, those that went over one first. */
    public List<StreamState> takeOverCap(long nowMs) {
        List<StreamState> taken = new ArrayList<>();
        for (StreamState stream : overCap) {
            if (stream.capsBlockedUntilMs <= nowMs) {
                taken.add(stream);
            }
        }
        taken.forEach(overCap::remove);
        return taken;
    }

    /** The streams of which sweeps only report what they would delete (M-16); a copy. */
    public List<StreamState> warned() {
        return List.copyOf(warned);
    }

    /** Whether it is time to report what would be deleted. */
    public boolean isWarnDue(long nowMs) {
        return !warned.isEmpty() && nowMs >= nextWarnMs && window.isOpen(nowMs);
    }

    /** Notes that such a report began then. */
    public void warnedAt(long startedMs) {
        nextWarnMs = startedMs + Math.max(intervalMs, MIN_WARN_INTERVAL_MS);
    }

    /** Whether sweeps may run at that time. */
    public boolean isOpen(long nowMs) {
        return window.isOpen(nowMs);
    }

    /** Notes that a sweep which began then has ended: the next one comes an interval later. */
    public void swept(long startedMs) {
        nextFireMs = startedMs + intervalMs;
    }

    /** When the group is swept next, epoch milliseconds; 0 if it never was and may be at any time. */
    long nextSweepMs(long nowMs) {
        return window.isAlways() ? nextFireMs : window.nextOpenMs(Math.max(nextFireMs, nowMs));
    }

    boolean isDue(long nowMs) {
        return nowMs + Math.min(TOLERANCE_MS, intervalMs / 2) >= nextFireMs && window.isOpen(nowMs);
    }

    long backlog(long nowMs, int limit) {
        return (long) heap.countBefore(nowMs, limit) + overCap.size();
    }

    DueHeap heap() {
        return heap;
    }

    Collection<StreamState> overCap() {
        return overCap;
    }

    Collection<StreamState> warnedStreams() {
        return warned;
    }
}
