package dev.ebb.topology.policy;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Policies that must be in force in this instance before a command, or a share of it, begins. They come to each instance by a
 * way of its own, so this one may be behind the one that asks for the work, and would count or delete by rules that have been
 * replaced (T-3). Not thread-safe.
 */
public final class AwaitedPolicies {

    /** Time after which policies that do not come into force here are given up. */
    private static final long PATIENCE_MS = Duration.ofMinutes(1).toMillis();

    private final Supplier<PolicyView> view;
    private final @Nullable Long offset;
    private final int partition;
    private long begunMs = -1;

    /**
     * @param view the policies that are in force
     * @param offset they must reflect their topic up to that offset; null if none are awaited
     * @param partition the partition that waits
     */
    public AwaitedPolicies(Supplier<PolicyView> view, @Nullable Long offset, int partition) {
        this.view = view;
        this.offset = offset;
        this.partition = partition;
    }

    /**
     * Returns true if they are in force, or newer ones. Offsets are compared and not versions: an instance that starts does not
     * see the version of a removal that was compacted away.
     */
    public boolean areInForce() {
        return offset == null || view.get().reflectedOffset() >= offset;
    }

    /** Reason why work to which they are missing gives up; null as long as it may wait. */
    public @Nullable String problem(long nowMs) {
        begunMs = begunMs < 0 ? nowMs : begunMs;
        return nowMs - begunMs <= PATIENCE_MS
                ? null
                : "policies of version " + offset + " did not come into force within a minute where partition "
                        + partition + " is; see 'ebb status'";
    }

    /** The offset that is awaited; null if there is none. */
    public @Nullable Long offset() {
        return offset;
    }
}
