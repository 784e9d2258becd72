package dev.ebb.runtime.forecast;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.read.StreamOutline;
import dev.ebb.store.read.StreamOutline.Kind;
import dev.ebb.store.read.StreamOutline.Part;

/**
 * Computes when the parts of a stream fall due under a policy: by age, own TTLs and caps, except where guards keep
 * events. Also reports the times between which the figures are estimates. Stateless except for arrays that are reused.
 * Not thread-safe.
 */
final class DueParts {

    private long[] events = new long[1];
    private long[] bytes = new long[1];
    private long[] firstMs = new long[1];
    private long[] lastMs = new long[1];

    /** The first and the last time at which an event of the stream may fall due. */
    private long fromMs;

    private long toMs;
    private boolean hasTimed;
    private boolean hasEstimates;
    private boolean hasExecutions;

    /** Receives each event of a stream once, in sums. */
    interface Listener {

        /** Receives events that never go. */
        void never(long events, long bytes);

        /** Receives events that are due already. */
        void overdue(long events, long bytes);

        /**
         * Receives events that fall due between two moments.
         *
         * @param firstMs the last millisecond of the first of these events, epoch milliseconds
         * @param lastMs the last millisecond of the last of these events, epoch milliseconds
         */
        void due(long firstMs, long lastMs, long events, long bytes);

        /**
         * Marks a stretch as uncertain: events of the stream that fall due in it may do so at other times within it;
         * their sum is right. Called with events for the stretch, or without any.
         */
        void uncertain(long firstMs, long lastMs);
    }

    void tell(StreamOutline stream, EffectivePolicy policy, boolean isHeld, long nowMs, Listener listener) {
        if (isHeld || stream.isQuarantined() || !policy.isEnforced()) {
            listener.never(stream.events(), stream.bytes());
            return;
        }
        boolean isUnderNotice = stream.noticeUntilMs() >= nowMs;
        tell(stream, policy, nowMs, isUnderNotice ? new AfterNotice(stream.noticeUntilMs(), listener) : listener);
    }

    private void tell(StreamOutline stream, EffectivePolicy policy, long nowMs, Listener listener) {
        listener.never(stream.keptEvents(), stream.keptBytes());
        load(stream, policy, listener);
        if (!stream.isArrangedFor(policy)) {
            listener.uncertain(0, RetentionDecider.NEVER);
        }
        boolean isCertain = guard(stream, policy, listener);
        isCertain &= cap(stream, policy, nowMs, listener);
        if (!isCertain && fromMs <= toMs) {
            listener.uncertain(fromMs, toMs);
        }
        for (int i = 0; i < stream.size(); i++) {
            if (events[i] > 0) {
                listener.due(firstMs[i], lastMs[i], events[i], bytes[i]);
            }
        }
    }

    /**
     * Passes on what falls due before the end of a notice as falling due at its end (T-3).
     *
     * @param untilMs the last millisecond of the notice, epoch milliseconds
     */
    private record AfterNotice(long untilMs, Listener listener) implements Listener {

        @Override
        public void never(long events, long bytes) {
            listener.never(events, bytes);
        }

        @Override
        public void overdue(long events, long bytes) {
            listener.due(untilMs, untilMs, events, bytes);
        }

        @Override
        public void due(long firstMs, long lastMs, long events, long bytes) {
            listener.due(Math.max(firstMs, untilMs), Math.max(lastMs, untilMs), events, bytes);
        }

        @Override
        public void uncertain(long firstMs, long lastMs) {
            listener.uncertain(Math.max(firstMs, untilMs), Math.max(lastMs, untilMs));
        }
    }

    private void load(StreamOutline stream, EffectivePolicy policy, Listener listener) {
        int size = stream.size();
        if (events.length < size) {
            events = new long[size];
            bytes = new long[size];
            firstMs = new long[size];
            lastMs = new long[size];
        }
        fromMs = RetentionDecider.NEVER;
        toMs = 0;
        hasTimed = false;
        hasExecutions = false;
        long estimatedFrom = RetentionDecider.NEVER;
        long estimatedTo = -1;
        for (int i = 0; i < size; i++) {
            Part part = stream.part(i);
            events[i] = part.events();
            bytes[i] = part.bytes();
            firstMs[i] = part.isTimed() ? part.firstMs() : RetentionDecider.removableByAgeMs(part.firstMs(), policy);
            lastMs[i] = part.isTimed() ? part.lastMs() : RetentionDecider.removableByAgeMs(part.lastMs(), policy);
            fromMs = Math.min(fromMs, firstMs[i]);
            toMs = Math.max(toMs, lastMs[i]);
            hasTimed |= part.isTimed();
            hasExecutions |= part.rank() > 0;
            if (part.kind() == Kind.ESTIMATED) {
                estimatedFrom = Math.min(estimatedFrom, firstMs[i]);
                estimatedTo = Math.max(estimatedTo, lastMs[i]);
            } else if (part.kind() == Kind.TIMED_WITHOUT_END) {
                toMs = RetentionDecider.NEVER;
                listener.uncertain(firstMs[i], RetentionDecider.NEVER);
            }
        }
        hasEstimates = estimatedTo >= 0;
        if (hasEstimates) {
            listener.uncertain(estimatedFrom, estimatedTo);
        }
    }

    /** Takes out the events that keepLast keeps; returns whether their times are certain. */
    private boolean guard(StreamOutline stream, EffectivePolicy policy, Listener listener) {
        Limit keepLast = policy.keepLast().value();
        if (keepLast.isNone()) {
            return true;
        }
        long left = keepLast.value();
        boolean isCut = false;
        boolean isCutAtOneTime = true;
        for (int i = stream.size() - 1; i >= 0; i--) {
            Part part = stream.part(i);
            long kept;
            if (part.rank() == 0) {
                kept = Math.min(left, events[i]);
                left -= kept;
                isCut |= kept < events[i];
                isCutAtOneTime &= kept == 0 || kept == events[i] || part.firstMs() == part.lastMs();
            } else {
                kept = part.rank() <= keepLast.value() ? events[i] : 0;
            }
            if (kept > 0) {
                keep(i, kept, listener);
            }
        }
        // The kept events are those with the latest anchors, which a part with own TTLs does not record.
        return !isCut || (isCutAtOneTime && !hasTimed && !hasEstimates);
    }

    /** Takes the newest events out of a part; they stay. */
    private void keep(int i, long kept, Listener listener) {
        double share = (double) kept / events[i];
        long keptBytes = kept == events[i] ? bytes[i] : (long) (share * bytes[i]);
        lastMs[i] -= (long) (share * (lastMs[i] - firstMs[i]));
        events[i] -= kept;
        bytes[i] -= keptBytes;
        listener.never(kept, keptBytes);
    }

    /** Takes out the events that caps take, the oldest first; returns whether their times are certain. */
    private boolean cap(StreamOutline stream, EffectivePolicy policy, long nowMs, Listener listener) {
        long overEvents = stream.events() - policy.mostEvents().value();
        long overBytes = stream.bytes() - policy.mostBytes().value();
        if (overEvents <= 0 && overBytes <= 0) {
            return true;
        }
        // Own TTLs and executions have an order of their own, and events that go by age meanwhile make room.
        boolean isCertain = !hasTimed && !hasExecutions && !hasEstimates;
        for (int i = 0; i < stream.size(); i++) {
            Part part = stream.part(i);
            if (lastMs[i] < nowMs) {
                // These events go by age before caps apply.
                overEvents -= events[i];
                overBytes -= bytes[i];
            } else if (part.rank() != 1 && (overEvents > 0 || overBytes > 0) && events[i] > 0) {
                long byBytes =
                        overBytes <= 0 ? 0 : (long) Math.ceil((double) overBytes * events[i] / Math.max(1, bytes[i]));
                long gone = Math.min(events[i], Math.max(overEvents, byBytes));
                boolean isWhole = overEvents >= events[i] || overBytes >= bytes[i];
                isCertain &= isWhole || (overBytes <= 0 && part.firstMs() == part.lastMs());
                overEvents -= gone;
                overBytes -= capped(i, part, gone, policy, nowMs, listener);
            }
        }
        fromMs = Math.min(fromMs, nowMs);
        return isCertain;
    }

    /**
     * Takes out the oldest events of a part, which go now or as soon as minAge lets them; returns their size. The end
     * of minAge is unknown for events with own TTLs; their last time stands for it.
     */
    private long capped(int i, Part part, long gone, EffectivePolicy policy, long nowMs, Listener listener) {
        double share = (double) gone / events[i];
        long goneBytes = gone == events[i] ? bytes[i] : (long) (share * bytes[i]);
        long guardedMs = part.isTimed() ? lastMs[i] : RetentionDecider.lastGuardedMs(part.lastMs(), policy);
        if (policy.minAge().value().isNone() || guardedMs < nowMs) {
            listener.overdue(gone, goneBytes);
        } else {
            long first = part.isTimed() ? firstMs[i] : RetentionDecider.lastGuardedMs(part.firstMs(), policy);
            listener.due(first, first + (long) (share * (guardedMs - first)), gone, goneBytes);
        }
        firstMs[i] += (long) (share * (lastMs[i] - firstMs[i]));
        events[i] -= gone;
        bytes[i] -= goneBytes;
        return goneBytes;
    }
}
