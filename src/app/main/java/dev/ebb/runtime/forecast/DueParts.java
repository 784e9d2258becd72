package dev.ebb.runtime.forecast;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.domain.retention.RetentionDecider;
import dev.ebb.store.read.StreamOutline;
import dev.ebb.store.read.StreamOutline.Part;

/**
 * Tells when the parts of a stream fall due under a policy: by age and own TTLs, without what guards keep, and with what
 * caps take at once. Stateless but for memory that is used again. Not thread-safe.
 */
final class DueParts {

    private long[] events = new long[1];
    private long[] bytes = new long[1];
    private long[] firstMs = new long[1];
    private long[] lastMs = new long[1];

    /** Is told of each event of a stream once, in sums. */
    interface Listener {

        /** Events that go at no time. */
        void never(long events, long bytes);

        /** Events that are due already. */
        void overdue(long events, long bytes);

        /**
         * Events that fall due between two moments.
         *
         * @param firstMs the last millisecond of the first of them, epoch milliseconds
         * @param lastMs the last millisecond of the last of them
         * @param isCertain false if even these moments are not certain
         */
        void due(long firstMs, long lastMs, long events, long bytes, boolean isCertain);
    }

    void tell(StreamOutline stream, EffectivePolicy policy, boolean isHeld, long nowMs, Listener listener) {
        if (isHeld || stream.isQuarantined() || !policy.isEnforced()) {
            listener.never(stream.events(), stream.bytes());
            return;
        }
        listener.never(stream.keptEvents(), stream.keptBytes());
        load(stream, policy);
        boolean isCertain = guard(stream, policy, listener);
        isCertain &= cap(stream, policy, nowMs, listener);
        isCertain &= stream.isSettled() && stream.anchor() == policy.anchor().value();
        for (int i = 0; i < stream.size(); i++) {
            if (events[i] > 0) {
                listener.due(firstMs[i], lastMs[i], events[i], bytes[i], isCertain);
            }
        }
    }

    private void load(StreamOutline stream, EffectivePolicy policy) {
        int size = stream.size();
        if (events.length < size) {
            events = new long[size];
            bytes = new long[size];
            firstMs = new long[size];
            lastMs = new long[size];
        }
        for (int i = 0; i < size; i++) {
            Part part = stream.part(i);
            events[i] = part.events();
            bytes[i] = part.bytes();
            firstMs[i] = part.isTimed() ? part.firstMs() : RetentionDecider.removableByAgeMs(part.firstMs(), policy);
            lastMs[i] = part.isTimed() ? part.lastMs() : RetentionDecider.removableByAgeMs(part.lastMs(), policy);
        }
    }

    /** Takes out what keepLast keeps; returns whether it is certain what that is. */
    private boolean guard(StreamOutline stream, EffectivePolicy policy, Listener listener) {
        Limit keepLast = policy.keepLast().value();
        if (keepLast.isNone()) {
            return true;
        }
        long left = keepLast.value();
        boolean isCertain = true;
        boolean hasTimed = false;
        boolean hasOrdered = false;
        for (int i = stream.size() - 1; i >= 0; i--) {
            Part part = stream.part(i);
            hasTimed |= part.isTimed();
            hasOrdered |= !part.isTimed();
            long kept;
            if (part.rank() == 0) {
                kept = Math.min(left, events[i]);
                left -= kept;
                isCertain &= kept == 0 || kept == events[i] || part.firstMs() == part.lastMs();
            } else {
                kept = part.rank() <= keepLast.value() ? events[i] : 0;
            }
            take(i, kept, false, listener);
        }
        return isCertain && !(hasTimed && hasOrdered);
    }

    /** Takes out what caps take at once, the oldest first; returns whether it is certain what that is. */
    private boolean cap(StreamOutline stream, EffectivePolicy policy, long nowMs, Listener listener) {
        long overEvents = stream.events() - policy.mostEvents().value();
        long overBytes = stream.bytes() - policy.mostBytes().value();
        if (overEvents <= 0 && overBytes <= 0) {
            return true;
        }
        boolean isCertain = true;
        for (int i = 0; i < stream.size(); i++) {
            Part part = stream.part(i);
            if (lastMs[i] < nowMs) {
                // Goes by age before caps are looked at.
                overEvents -= events[i];
                overBytes -= bytes[i];
            } else if (part.rank() != 1 && (overEvents > 0 || overBytes > 0) && events[i] > 0) {
                long byBytes =
                        overBytes <= 0 ? 0 : (long) Math.ceil((double) overBytes * events[i] / Math.max(1, bytes[i]));
                long gone = Math.min(events[i], Math.max(overEvents, byBytes));
                isCertain &= gone == events[i] || part.firstMs() == part.lastMs();
                long before = bytes[i];
                take(i, gone, true, listener);
                overEvents -= gone;
                overBytes -= before - bytes[i];
            }
        }
        return isCertain;
    }

    /**
     * Takes events out of a part.
     *
     * @param isOldest true for the oldest ones, which are overdue then; false for the newest, which stay
     */
    private void take(int part, long some, boolean isOldest, Listener listener) {
        if (some <= 0) {
            return;
        }
        double share = (double) some / events[part];
        long someBytes = some == events[part] ? bytes[part] : (long) (share * bytes[part]);
        long length = (long) (share * (lastMs[part] - firstMs[part]));
        if (isOldest) {
            firstMs[part] += length;
            listener.overdue(some, someBytes);
        } else {
            lastMs[part] -= length;
            listener.never(some, someBytes);
        }
        events[part] -= some;
        bytes[part] -= someBytes;
    }
}
