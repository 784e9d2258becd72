package dev.ebb.topology.policy;

import dev.ebb.domain.policy.PolicyEdition;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Policies that must be in force on this instance before a command, or a share of it, begins. They reach each instance
 * separately, so this instance may be behind the one that asks for the work, and would count or delete by rules that
 * have been replaced (T-3). Not thread-safe.
 */
public final class AwaitedPolicies {

    /** Time after which the wait for policies is given up. */
    private static final long PATIENCE_MS = Duration.ofMinutes(1).toMillis();

    private final Supplier<PolicyView> view;
    private final @Nullable PolicyEdition edition;
    private final int partition;
    private long begunMs = -1;

    /**
     * @param view supplies the policies in force
     * @param edition the policies that must be in force, see {@link PolicyView#reflected}; null if none are awaited
     * @param partition the partition that waits
     */
    public AwaitedPolicies(Supplier<PolicyView> view, @Nullable PolicyEdition edition, int partition) {
        this.view = view;
        this.edition = edition;
        this.partition = partition;
    }

    /**
     * Returns true if these policies, or newer ones, are in force. Offsets are compared instead of versions: an
     * instance that starts does not see the version of a removal that was compacted away.
     */
    public boolean areInForce() {
        return edition == null || !view.get().reflected().isBefore(edition);
    }

    /** Returns the reason why work that lacks the policies gives up; null as long as it may wait. */
    public @Nullable String problem(long nowMs) {
        begunMs = begunMs < 0 ? nowMs : begunMs;
        return nowMs - begunMs <= PATIENCE_MS
                ? null
                : "policies of version " + Objects.requireNonNull(edition).version()
                        + " did not come into force within a minute where partition " + partition
                        + " is; see 'ebb status'";
    }

    /** Returns the awaited policies; null if there are none. */
    public @Nullable PolicyEdition edition() {
        return edition;
    }
}
