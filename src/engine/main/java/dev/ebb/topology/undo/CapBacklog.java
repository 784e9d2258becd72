package dev.ebb.topology.undo;

import dev.ebb.domain.policy.EffectivePolicy;
import dev.ebb.domain.policy.Limit;
import dev.ebb.store.state.StreamState;
import org.jspecify.annotations.Nullable;

/**
 * Events that caps take from a stream as it is, whether or not anything comes back: the next sweep takes them.
 * Immutable.
 *
 * @param events number of these events, without those that go for their bytes only, whose number is not known
 * @param bytesOver bytes by which the stream is over its caps, if all of them can go
 * @param isRestGuarded true if the stream is still over its caps after that, so that a guard keeps all remaining events
 */
record CapBacklog(long events, long bytesOver, boolean isRestGuarded) {

    static final CapBacklog NONE = new CapBacklog(0, 0, false);

    /**
     * Returns the backlog of a stream, which is there until the first sweep under its caps.
     *
     * @param stream the stream as it is; null if there is none
     */
    static CapBacklog of(@Nullable StreamState stream, EffectivePolicy policy, AgeGuards guards, LastExecutions last) {
        if (stream == null || !policy.isOverCap(stream.totalEvents(), stream.totalBytes())) {
            return NONE;
        }
        long average = Math.max(1, stream.totalBytes() / Math.max(1, stream.totalEvents()));
        long events = over(policy.mostEvents(), stream.totalEvents());
        long bytes = over(policy.mostBytes(), stream.totalBytes());
        long over = Math.max(events, (bytes + average - 1) / average);
        long mayGo = stream.executions() != null
                ? guards.free(stream, 0, last.sparedNow(stream), over)
                : guards.keep(stream.root()) ? 0 : Math.max(0, stream.root().eligibleEvents() - last.keepLast());
        boolean isRestGuarded = mayGo < over && (bytes == 0 || mayGo <= events);
        return isRestGuarded ? new CapBacklog(mayGo, 0, true) : new CapBacklog(events, bytes, false);
    }

    /** Returns the amount above the cap; 0 if the cap is none or not exceeded. */
    static long over(Limit cap, long amount) {
        return cap.isNone() ? 0 : Math.max(0, amount - cap.value());
    }
}
